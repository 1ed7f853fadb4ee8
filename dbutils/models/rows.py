"""Training only the embedding rows that are in use.

Rows of sub-words that never occur get no gradient, so leaving them out changes nothing but the memory and the time
of the optimiser, which for vocabularies of 250,000 is most of a step. Afterwards the trained rows are put back
among the others.
"""

import copy

import numpy as np


def matrix(model):
    """The module that maps sub-word ids to vectors; None of a model that hashes ids (CANINE)."""
    try:
        return model.get_input_embeddings()
    except NotImplementedError:
        return None


class Restricted:
    """Replace a model's embedding by its rows `ids`; `lookup` maps ids to them; `widen` undoes it.

    ids: sorted array of sub-word ids; pad: the padding id, which is always kept.
    """

    def __init__(self, model, ids, pad):
        import torch

        self.model, self.whole = model, model.get_input_embeddings()
        self.ids = np.union1d(ids, [pad]).astype(np.int64)
        self.lookup = np.full(self.whole.num_embeddings, -1, dtype=np.int64)
        self.lookup[self.ids] = np.arange(len(self.ids))
        kept = self.whole.weight.detach()[torch.from_numpy(self.ids)].clone()
        few = copy.copy(self.whole)  # with what else it does, as scaling
        few._parameters = {"weight": torch.nn.Parameter(kept)}
        few.num_embeddings = len(self.ids)
        few.padding_idx = None if self.whole.padding_idx is None else int(self.lookup[pad])
        model.set_input_embeddings(few)

    def widen(self):
        """Put the trained rows back into the whole matrix, and that into the model."""

        put(self.whole, self.ids, self.model.get_input_embeddings().weight)
        self.whole.to(self.model.get_input_embeddings().weight.device)
        self.model.set_input_embeddings(self.whole)


def put(embedding, ids, rows):
    """Overwrite rows of an embedding, in place."""
    import torch

    with torch.no_grad():
        embedding.weight[torch.from_numpy(ids)] = rows.detach().to(embedding.weight.device)
