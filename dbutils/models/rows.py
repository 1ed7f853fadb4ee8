"""Training only the embedding rows that are in use.

Rows of sub-words that never occur get no gradient, so leaving them out changes nothing but the memory and the time
of the optimiser, which for vocabularies of 250,000 is most of a step. Afterwards the trained rows are put back
among the others.
"""

import numpy as np


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
        padding = None if self.whole.padding_idx is None else int(self.lookup[pad])
        model.set_input_embeddings(torch.nn.Embedding.from_pretrained(kept, freeze=False, padding_idx=padding))
        model.get_input_embeddings().to(self.whole.weight.device)

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
