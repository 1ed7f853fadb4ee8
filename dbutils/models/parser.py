"""A biaffine dependency parser on an encoder (Dozat and Manning 2017).

A word's vector is the encoder's, the first or the mean of its sub-words; the root's is that of the first position.
With arc_size 0 the scorers stand on these vectors themselves, as in the paper's code; otherwise each has perceptrons
before it that tell a word as dependent from a word as head.
"""


def parser(encoder, relations, arc_size, relation_size):
    """The parser as a torch module.

    forward returns (arcs, dependents, heads): arcs (B, W, W + 1), the scores of word w + 1 hanging on h; vectors
    (B, W, d) and (B, W + 1, d) from which `relations(dependents, heads)` scores the relations of chosen arcs.
    """
    import torch
    from torch import nn

    hidden = encoder.config.hidden_size
    dropout = getattr(encoder.config, "hidden_dropout_prob", 0.1)

    def perceptron(size):
        if not size:
            return nn.Identity()
        return nn.Sequential(nn.Linear(hidden, size), nn.ReLU(), nn.Dropout(dropout))

    class Parser(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.dropout = encoder, nn.Dropout(dropout)
            arc, relation = arc_size or hidden, relation_size or hidden
            self.arc_dependent, self.arc_head = perceptron(arc_size), perceptron(arc_size)
            self.relation_dependent, self.relation_head = perceptron(relation_size), perceptron(relation_size)
            self.arc = nn.Parameter(torch.zeros(arc + 1, arc))
            self.relation = nn.Parameter(torch.zeros(relations, relation + 1, relation + 1))

        def get_input_embeddings(self):
            return self.encoder.get_input_embeddings()

        def set_input_embeddings(self, embedding):
            self.encoder.set_input_embeddings(embedding)

        def forward(self, hidden, root, words, owner, slots, shape):
            """hidden: (R, L, d) of all rows. root: (B,) flat positions of the roots. words: (P,) flat positions of the
            sub-words, owner: (P,) slot (sentence * W + word) of each, slots: its B * W = product of shape (B, W)."""
            flat = self.dropout(hidden).flatten(0, 1)
            sums = flat.new_zeros(slots, flat.shape[1]).index_add_(0, owner, flat[words])
            counts = torch.bincount(owner, minlength=slots).clamp(min=1).to(flat.dtype)
            dependents = (sums / counts[:, None]).view(*shape, -1)
            heads = torch.cat([flat[root][:, None], dependents], dim=1)
            left = one(self.arc_dependent(dependents))
            arcs = left @ self.arc @ self.arc_head(heads).transpose(1, 2)
            return arcs, self.relation_dependent(dependents), self.relation_head(heads)

        def relations(self, dependents, heads):
            """(N, relations): scores of N arcs from vectors (N, d) and (N, d)."""
            left, right = one(dependents), one(heads)
            scores = torch.einsum("ni,rij->nrj", left, self.relation.to(left.dtype))
            return torch.einsum("nrj,nj->nr", scores, right)

    def one(x):
        return torch.cat([x, torch.ones_like(x[..., :1])], dim=-1)

    return Parser()
