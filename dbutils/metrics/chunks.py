"""Chunks of tag sequences: entities, and what the paper's tagging F1 makes of bare tags.

`default` reads tags as conlleval and seqeval's default mode do: a chunk also begins at an I that
follows nothing or another type. `strict` is IOB2: a chunk begins at B and goes on with I of the same type.

Every sentence is read for itself. seqeval reads a corpus as one long sequence and so begins no chunk at a
sentence that starts with a tag without a type (the bare tags X and _); that oddity is not followed.
"""

import numpy as np

from dbutils.metrics.base import Metric, Shares, f1, share_of_counts


def entities(tags, strict=False):
    """The chunks of a tag sequence: a set of (type, first token, last token), 0-based.

    A tag is a prefix letter, a hyphen and a type (`B-LOC`), or a bare tag, whose first letter is
    the prefix and whose rest (hyphens cut) is the type: so `NOUN` has the prefix N and the type OUN,
    as seqeval reads it.
    """
    return _strict(tags) if strict else _default(tags)


def _split(tag):
    return tag[:1], tag[1:].split("-", maxsplit=1)[-1] or "_"


def _default(tags):
    chunks = set()
    begin, previous, kind = 0, "O", ""
    for i, tag in enumerate([*tags, "O"]):
        prefix, now = _split(tag)
        if _ends(previous, prefix, kind, now):
            chunks.add((kind, begin, i - 1))
        if _begins(previous, prefix, kind, now):
            begin = i
        previous, kind = prefix, now
    return chunks


def _ends(previous, now, kind, next_kind):
    if previous in "ES":
        return True
    if previous in "BI" and now in "BSO":
        return True
    return previous not in "O." and kind != next_kind


def _begins(previous, now, kind, next_kind):
    if now in "BS":
        return True
    if previous in "ESO" and now in "EI":
        return True
    return now not in "O." and kind != next_kind


def _strict(tags):
    chunks = set()
    begin = kind = None
    for i, tag in enumerate([*tags, "O"]):
        prefix, _, now = tag.partition("-")
        if prefix == "I" and now == kind:
            continue
        if kind is not None:
            chunks.add((kind, begin, i - 1))
        begin, kind = (i, now) if prefix == "B" else (None, None)
    return chunks


def statistics(gold, predicted, strict=False):
    """[hits, predicted chunks, gold chunks] of a sentence.

    gold: has tags and scored (one per token). predicted: one tag per token. A token without a prediction
    (None) is outside every chunk; one that is not scored (a placeholder) is so in gold and predicted.
    """
    if len(predicted) != len(gold.tags):
        raise ValueError(f"{len(predicted)} predicted tags for {len(gold.tags)} tokens")
    have = entities([tag if counts else "O" for tag, counts in zip(gold.tags, gold.scored, strict=True)], strict)
    seen = ("O" if tag is None or not counts else tag for tag, counts in zip(predicted, gold.scored, strict=True))
    found = entities(list(seen), strict)
    return np.array([len(have & found), len(found), len(have)])


def _f1(s):
    return f1(s[..., 0], s[..., 1], s[..., 2])


def _counts(s):
    hits, predicted, gold = s[..., 0:1], s[..., 1:2], s[..., 2:3]
    return share_of_counts(hits, predicted, gold)


_SHARES = Shares(_counts, f1=True)
CHUNK_F1 = Metric("f1", statistics, _f1, _SHARES)
STRICT_F1 = Metric("f1_strict", lambda gold, predicted: statistics(gold, predicted, strict=True), _f1, _SHARES)
