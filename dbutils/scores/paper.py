"""Score rows of origin `paper`: read out of the paper's printed tables 10-20."""

import functools

from dbutils import registry
from dbutils.scores.printed import SCORE_TABLES, printed, translation_setting
from dbutils.scores.schema import checked, typed


@functools.cache
def paper_scores():
    """All scores that the paper prints of single varieties, as typed score rows.

    `run` says where a number stands: `table10:3` is line 3 of that table's file. A column that
    holds another quantity than its heading says is read as what it holds. `n` is as printed: in
    Table 16 the number of predictions, everywhere else of gold examples (NLI: Table 7).
    """
    import pandas as pd

    known = registry.load()
    nli_sizes = dict(zip(printed(7).language_code, printed(7).num_sentences))
    rows = []
    for table in SCORE_TABLES.values():
        for line, r in table.printed().iterrows():
            variety = known.get(r.cluster_norm, r.variety_norm)
            code = next(c for c in variety.codes if c.task == table.task)
            for name, column in table.columns.items():
                if r[name] == "":
                    continue
                q = column.holds
                setting = q.setting or translation_setting(variety.cluster)
                rows.append(
                    dict(
                        task=table.task,
                        corpus=code.corpus,
                        model=q.model,
                        setting=setting,
                        train=_train(table, setting, r, code.code),
                        cluster=variety.cluster,
                        variety=variety.variety,
                        code=code.code,
                        split=q.split,
                        metric=q.metric,
                        value=r[name],
                        n=r[table.count]
                        if table.count
                        else nli_sizes.get(code.code, "")
                        if table.task == "nli"
                        else "",
                        low="",
                        high="",
                        seed="",
                        origin="paper",
                        run=f"table{table.number}:{line}",
                    )
                )
    return typed(checked(pd.DataFrame(rows, index=range(1, len(rows) + 1)), "the paper's tables"))


def _train(table, setting, row, code):
    if setting in table.trains:
        return table.trains[setting]
    if setting in ("in_variety",) or table.task == "sa":  # one sentiment model per data set
        return code
    if table.source:
        return row[table.source]
    return ""
