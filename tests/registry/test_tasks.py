"""The facts of the tasks agree with the registry, the printed tables and the columns that they describe."""

import pytest

from dbutils import SETTINGS, TASKS, registry
from dbutils.registry import LEVELS, TASK_FACTS, facts
from dbutils.scores import SCORE_TABLES, printed


def test_there_is_a_record_for_each_task_in_the_benchmark_s_order():
    assert tuple(TASK_FACTS) == TASKS and all(code == task.code for code, task in TASK_FACTS.items())
    assert (*TASKS[:-1], "mt-dialect", "mt-region") == LEVELS
    assert facts("mt-region") is TASK_FACTS["mt"] and facts("dep") is TASK_FACTS["dep"]


def test_the_metric_is_that_of_the_registry_s_table():
    assert {code: task.metric for code, task in TASK_FACTS.items()} == registry.load().tasks["score"].to_dict()


@pytest.mark.parametrize("number", [3, 4, 5, 9, 21])
def test_every_task_of_a_summary_table_is_known_by_its_printed_name(number):
    names = registry.load().tasks_in(number)
    assert set(names) == set(printed(number).task) - {"win"}
    assert set(names.values()) <= set(LEVELS)


def test_result_tables_are_those_with_columns_and_name_the_same_task():
    tables = {number: code for code, task in TASK_FACTS.items() for number in task.result_tables}
    assert tables == {number: table.task for number, table in SCORE_TABLES.items()}
    for task in TASK_FACTS.values():
        if task.comparison:
            table = SCORE_TABLES[task.comparison.table]
            held = {c.quantity(as_printed).setting for c in table.columns.values() for as_printed in (True, False)}
            assert {task.comparison.zero_shot, task.comparison.fine_tuned} - {None} <= held
        assert set(task.maximum.settings) | set(task.settings) <= set(SETTINGS)


def test_utilities_ticks_and_figures_have_one_task_each():
    every = TASK_FACTS.values()
    assert sorted(t.utility_table for t in every if t.utility_table) == list(range(23, 32))
    assert {t.table8 for t in every} <= set(printed(8).columns) and len({t.table8 for t in every}) == len(TASKS)
    shown = [n for t in every for n in (*t.bars.values(), t.gap_figure) if n]
    assert len(shown) == len(set(shown)) and {level for t in every for level in t.bars} == set(LEVELS)
