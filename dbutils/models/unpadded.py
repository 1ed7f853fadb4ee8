"""Prediction without padding: the layers of an encoder see all tokens of a batch as one long row.

Matrix products then run on real tokens alone, and attention on neighbouring rows of equal length together. The numbers
are those of padded batches but for rounding.
"""

import contextlib
import itertools

NAME = "unpadded"
# encoders whose positions are added before the first layer, so that a layer does not see where in its row a token stands
FORMS = ("bert", "camembert", "electra", "roberta", "xlm-roberta")
SHORT = 64  # up to this length plain matrix products are faster on a CPU than torch's fused attention


@contextlib.contextmanager
def unpadded(model, first_only=False):
    """Context in which the encoder in a model of transformers computes without padding; yields whether it does.

    first_only: only the vector of each row's first position is wanted, so the last layer is finished for those alone
    and the other vectors are zero.
    Encoders of other forms than FORMS, and any on a GPU, whose fused attention takes padded batches, go on with padding.
    """
    base = _encoder(model)
    if base is None:
        yield False
        return
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(NAME, _attention)
    AttentionMaskInterface.register(NAME, _mask)
    rows, before = _Rows(first_only), base.config._attn_implementation
    hooks = [
        base.encoder.register_forward_pre_hook(rows.join, with_kwargs=True),
        base.encoder.register_forward_hook(rows.part),
    ]
    if first_only:
        hooks.append(base.encoder.layer[-1].attention.output.register_forward_pre_hook(rows.leave_first))
    base.config._attn_implementation = NAME
    try:
        yield True
    finally:
        base.config._attn_implementation = before
        for hook in hooks:
            hook.remove()


def _encoder(model):
    """The module with embeddings and layers, None if it has to be given padded batches."""
    from transformers import PreTrainedModel

    if next(model.parameters()).device.type != "cpu":
        return None
    for module in model.modules():
        if isinstance(module, PreTrainedModel) and hasattr(module, "embeddings"):
            return module if module.config.model_type in FORMS else None
    return None


class _Rows:
    """Joins the rows of a batch before the layers, and parts them behind."""

    mask = shape = lengths = None

    def __init__(self, first_only):
        self.first_only = first_only

    def join(self, layers, args, kwargs):
        """hidden (R, L, d), the first argument, to (1, tokens, d); groups: [rows, length] of neighbours of one length."""
        hidden, *others = args
        self.shape, self.mask = hidden.shape, kwargs["attention_mask"]
        rows, width, size = self.shape
        self.lengths = [width] * rows if self.mask is None else self.mask.sum(1).tolist()
        joined = hidden.reshape(rows * width, size) if self.mask is None else hidden[self.mask]
        groups = []
        for length in self.lengths:
            if groups and groups[-1][1] == length:
                groups[-1][0] += 1
            else:
                groups.append([1, length])
        return (joined[None], *others), kwargs | {"attention_mask": None, "groups": groups}

    def leave_first(self, module, args):
        """Tensors (1, tokens, d) to the first tokens of the rows (1, R, d)."""
        starts = [0, *itertools.accumulate(self.lengths[:-1])]
        return tuple(x[:, starts] for x in args)

    def part(self, layers, args, output):
        """The output's last_hidden_state back to (R, L, d), zeros for padding."""
        hidden = output.last_hidden_state[0]
        if self.first_only:
            whole = hidden.new_zeros(self.shape)
            whole[:, 0] = hidden
        elif self.mask is None:
            whole = hidden.view(self.shape)
        else:
            whole = hidden.new_zeros(self.shape)
            whole[self.mask] = hidden
        output.last_hidden_state = whole
        return output


def _mask(*_, attention_mask=None, **__):
    """What the layers get as mask: (R, L), true for tokens; transformers would make one of all pairs."""
    return attention_mask


def _attention(module, query, key, value, attention_mask, scaling, groups, **_):
    """Attention within each row; query, key, value: (1, heads, tokens, d). Returns (1, tokens, heads, d), None."""
    import torch

    out = query.new_empty(query.transpose(1, 2).shape)
    start = 0
    for rows, length in groups:
        end = start + rows * length
        q, k, v = (x[0, :, start:end].unflatten(1, (rows, length)) for x in (query, key, value))
        if length <= SHORT:
            found = torch.softmax((q * scaling) @ k.transpose(2, 3), -1) @ v
        else:
            found = torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=scaling)
        out[0, start:end] = found.permute(1, 2, 0, 3).flatten(0, 1)
        start = end
    return out, None
