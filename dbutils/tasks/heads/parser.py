"""Dependency trees by the biaffine parser (dep)."""

import numpy as np

from dbutils.models.parser import parser
from dbutils.models.spanning_tree import best_tree
from dbutils.tasks.heads import words
from dbutils.tasks.heads.base import Head, run


class ParserHead(Head):
    """The words of a sentence are parsed together, however many windows they were read in."""

    def texts(self, example):
        return example.tokens

    def build(self, source):
        encoder = source.load("AutoModel")
        return parser(encoder, len(self.labels), self.hyper.arc_size, self.hyper.relation_size)

    def units(self, tokens, examples, training):
        out = words.units(self, tokens, examples, training)
        if training:
            for unit in out:
                unit.data["gold"] = self._gold(examples[unit.example], unit.data["words"])
        return out

    def _gold(self, example, present):
        """(W, 2): head among the present words (0 root, -100 none) and relation of each present word."""
        slot = {0: 0} | {int(word) + 1: i for i, word in enumerate(present, 1)}
        rows = [(-100, -100)] * len(present)
        for i, word in enumerate(present.tolist()):
            head = example.heads[word]
            if example.scored[word] and head in slot:
                rows[i] = (slot[head], self.label_index(example.relations[word], example))
        return np.array(rows, dtype=np.int64).reshape(-1, 2)

    def _forward(self, model, batch):
        """Scores of arcs (B, W, W + 1), with absent heads excluded, and the vectors for relations."""
        import torch

        device = batch.ids.device
        flat, unit, index = words.positions(batch, first_only=self.hyper.word_vector == "first")
        sizes = [len(u.data["words"]) for u in batch.units]
        shape = (len(sizes), max(1, *sizes))
        root = torch.tensor([u.data["root"] for u in batch.units], device=device)
        root += torch.tensor(batch.first, device=device) * batch.shape[1]
        owner = torch.from_numpy(unit * shape[1] + index).to(device)
        hidden = run(model.encoder, batch).last_hidden_state
        arcs, dependents, heads = model(
            hidden, root, torch.from_numpy(flat).to(device), owner, shape[0] * shape[1], shape
        )
        absent = torch.arange(shape[1] + 1, device=device)[None, :] > torch.tensor(sizes, device=device)[:, None]
        return arcs.float().masked_fill(absent[:, None, :], -torch.inf), dependents, heads, sizes

    def loss(self, model, batch):
        import torch

        arcs, dependents, heads, sizes = self._forward(model, batch)
        gold = np.full((*arcs.shape[:2], 2), -100, dtype=np.int64)
        for number, (u, size) in enumerate(zip(batch.units, sizes, strict=True)):
            gold[number, :size] = u.data["gold"]
        gold = torch.from_numpy(gold).to(arcs.device)
        b, w = torch.nonzero(gold[..., 0] >= 0, as_tuple=True)
        head, relation = gold[b, w, 0], gold[b, w, 1]
        scores = model.relations(dependents[b, w], heads[b, head]).float()
        entropy = torch.nn.functional.cross_entropy
        return entropy(arcs[b, w], head, reduction="sum") + entropy(scores, relation, reduction="sum"), len(b)

    def outputs(self, model, batch):
        import torch

        arcs, dependents, heads, sizes = self._forward(model, batch)
        scores = arcs.cpu().numpy()
        trees = [best_tree(scores[number, :size, : size + 1]) for number, size in enumerate(sizes)]
        b = np.repeat(np.arange(len(sizes)), sizes)
        w = np.concatenate([np.arange(size) for size in sizes])
        chosen = np.concatenate(trees)
        at = [torch.from_numpy(x.astype(np.int64)).to(arcs.device) for x in (b, w, chosen)]
        relations = model.relations(dependents[at[0], at[1]], heads[at[0], at[2]]).float().argmax(-1).cpu().numpy()
        return [(tree, relations[b == number]) for number, tree in enumerate(trees)]

    def prediction(self, example, units, outputs):
        tree, numbers = outputs[0]
        return tuple(tree.tolist()), tuple(self.labels[number] for number in numbers.tolist())
