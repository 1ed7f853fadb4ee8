"""Evidence about machine translation: two kinds of reference that must not be ranked together."""

from dbutils import names
from dbutils.errors import InputError
from dbutils.experiments import pseudo
from dbutils.report.views.exhibits import picture
from dbutils.report.views.view import between, listing, number, paragraph
from dbutils.scores import cells


def references(rows):
    """A table: the kind of reference of each cluster, with the number of varieties and their mean BLEU."""
    found = cells.cells(rows, task="mt", metric="bleu")
    if found.empty:
        return paragraph("These scores hold none of this task.")
    kind = {"zero_shot": "English, by people", "pseudo_reference": names.setting("pseudo_reference")}
    best = found.groupby(["setting", "cluster", "variety"]).value.max()
    lines = []
    for (setting, cluster), part in best.groupby(level=["setting", "cluster"]):
        lines.append(
            [
                cluster,
                kind.get(setting, setting),
                len(part),
                number(part.mean()),
                number(part.min()),
                number(part.max()),
            ]
        )
    by_kind = [
        f"{kind.get(s, s)}: {number(part.mean())} over {names.counted(len(part), 'variety', 'varieties')}"
        for s, part in best.groupby(level="setting")
    ]
    caption = (
        f"What translations are compared with, and the better of both models per variety. Means: {'; '.join(by_kind)}."
    )
    return listing(
        ["cluster", "reference", "varieties", "mean", "lowest", "highest"],
        sorted(lines),
        caption,
        "tab-mt-references",
        ["varieties", "mean", "lowest", "highest"],
    )


def both_references(mine):
    """A table: the score of each variety against true and against pseudo-references, and how far they differ."""
    return _if_both(mine, "tab-references-both", _both)


def _both(mine):
    table = pseudo.compared(mine)
    lines = [
        [
            r.variety,
            r.cluster,
            r.n,
            between(r.true, r.true_low, r.true_high),
            between(r.pseudo, r.pseudo_low, r.pseudo_high),
            between(r.difference, r.low, r.high),
            number(r.standard),
            number(r.distance, 2),
            number(r.sentences, 2),
        ]
        for r in table.itertuples()
    ]
    headings = [
        "variety",
        "cluster",
        "n",
        "true",
        "pseudo",
        "pseudo minus true",
        "the standard's own",
        "distance",
        "over sentences",
    ]
    caption = (
        f"BLEU of {mine.model} against true and against pseudo-references, and their difference, with 95 % "
        "intervals (paired). The standard's own: true BLEU of the translations that serve as pseudo-references. Distance: from the standard. "
        "Over sentences: rank correlation of the two scores of a sentence."
    )
    return listing(headings, lines, caption, "tab-references-both", headings[2:])


def both_figure(mine):
    """A figure: pseudo against true scores."""
    from dbutils.report.figures.references import TrueAndPseudo as figure

    return picture("fig-references-both", figure, mine)


def tracking(mine):
    """Sentences: the rank correlation of the two scores over varieties, in all and per cluster."""
    return _if_both(mine, "", _tracking)


def _tracking(mine):
    table = pseudo.compared(mine)
    found = pseudo.tracking(table)
    per = [
        f"{name}: {'undefined, one of them is constant' if value is None else number(value, 2)}"
        for name, value in found.items()
        if name
    ]
    apart = table[(table.low > 0) | (table.high < 0)]
    return paragraph(
        f"Over all {names.counted(len(table), 'variety', 'varieties')} the rank correlation of the two scores is {number(found[''], 2)}.",
        f"Within the clusters ({'; '.join(per)}).",
        f"The interval of the difference leaves out 0 in {len(apart)} of them; "
        f"the pseudo-reference is the more generous in {int((table.difference > 0).sum())}.",
    )


def misled(mine):
    """A table: sentences that a pseudo-reference praises or blames wrongly, in the varieties where it errs most."""
    return _if_both(mine, "tab-references-misled", _misled)


def _misled(mine):
    table = pseudo.compared(mine)
    chosen = [(table.loc[table.difference.idxmax()].code, True)]
    if table.difference.min() < 0:
        chosen.append((table.loc[table.difference.idxmin()].code, False))
    texts = mine.profile == "sandbox"  # what a corpus's licence allows, its own reader must judge
    lines = []
    for code, over in chosen:
        for example, reference, said in pseudo.most_different(mine, code, over=over):
            head = [code, "too high" if over else "too low", *([example.source] if texts else [])]
            lines.append([*head, *((example.reference, reference, said) if texts else (example.id,))])
    shown = ["text", "true reference", "pseudo-reference", "translation"] if texts else ["example"]
    headings = ["code", "pseudo score", *shown]
    caption = (
        "Sentences whose score against the pseudo-reference is farthest from the true one, in the variety where it is most "
        "too high, and most too low."
    )
    return listing(headings, lines, caption, "tab-references-misled")


def _if_both(mine, name, view):
    """A view that keeps its place and label, and says why, where there are not both kinds of reference."""
    try:
        return view(mine)
    except InputError as error:
        if not name:
            return paragraph(f"Nothing to compare: {error}.")
        reason = [[f"Nothing to compare: {error}."]]
        return listing(["reason"], reason, "True and pseudo-references cannot be compared here.", name)
