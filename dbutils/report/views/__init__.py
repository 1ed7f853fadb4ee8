"""What a notebook shows: each function takes score rows or a notebook's parameters and returns one View.

A cell calls one of them in its last line. Where the scores lack what a view needs, it says so in a sentence.

A view's module is imported when it is asked for, so a notebook depends on those that it shows and on no other.
"""

import importlib

# {module: its views, with other names where those of two modules would clash}
MODULES = {
    "certain": "average_gaps base_models rank_ends=ends utilities_certain=utilities",
    "checks": "cluster foreign_sources fractions metrics_apart smallest worse_when_trained",
    "data": "clusters size",
    "measured_effects": "effects",
    "exhibits": "figure interactive table utility_figure",
    "findings": "finding",
    "gap_overview": "gap_overview_clusters=clusters gap_conventions=conventions gap_special_cases=special_cases gap_overview_varieties=varieties",
    "gaps": "gap_clusters=clusters gap_varieties=varieties",
    "identification": "halves labels rare_labels test_sets",
    "maxima": "best",
    "names": "attributes codes found parsed registry_size",
    "own": "own_answers=answers own_beside=beside conduct plan own_errors=errors own_examples=examples own_gaps=gaps own_scores=scores",
    "printed": "columns unlisted",
    "reading": "chance side_runs single_source sizes",
    "reproduction": "audit listed per_table reasons verdict",
    "source": "load shown sources versions",
    "summary": "fine_tuning in_context latin_and_others latin_share representatives_and_others seen_and_unseen",
    "translation": "both_figure both_references misled references tracking",
    "utilities": "utility_clusters=clusters utility=summary utility_tasks=tasks unread_populations",
    "view": "View",
}
_WHERE = {
    name.partition("=")[0]: (module, name.partition("=")[2] or name)
    for module, names in MODULES.items()
    for name in names.split()
}
__all__ = sorted(_WHERE)


def __getattr__(name):
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _WHERE[name]
    found = getattr(importlib.import_module(f"{__name__}.{module}"), there)
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), *__all__})
