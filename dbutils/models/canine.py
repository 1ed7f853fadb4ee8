"""CANINE (Clark et al. 2022) reads characters in groups, so a row's last group sees what stands behind the row.

That would be padding in one batch and nothing in another. Here it is always padding, at least two groups of it.
"""


def steady(model):
    """Let a CanineModel pad its batches itself, so that a row's vectors do not depend on the others of its batch."""
    from torch.nn.functional import pad

    group, names, widths = model.config.downsampling_rate, ("input_ids", "attention_mask", "token_type_ids"), []

    def before(module, args, kwargs):
        given = dict(zip(names, args, strict=False)) | kwargs
        ids = given["input_ids"]
        widths.append(ids.shape[1])
        if given.get("attention_mask") is None:
            given["attention_mask"] = ids.new_ones(ids.shape)
        more = -ids.shape[1] % group + 2 * group
        return (), given | {name: pad(given[name], (0, more)) for name in names if given.get(name) is not None}

    def after(module, args, output):
        output.last_hidden_state = output.last_hidden_state[:, : widths.pop()]
        return output

    model.register_forward_pre_hook(before, with_kwargs=True)
    model.register_forward_hook(after)
