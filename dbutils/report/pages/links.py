"""Where in the book a task, a table and a figure is."""

NOTEBOOKS = {
    "dep": "dependency_parsing",
    "pos": "pos_tagging",
    "ner": "named_entity_recognition",
    "did": "dialect_identification",
    "sa": "sentiment_analysis",
    "tc": "topic_classification",
    "nli": "natural_language_inference",
    "mrc": "reading_comprehension",
    "eqa": "question_answering",
    "mt": "machine_translation",
}
RESULT_TABLES = {
    "dep": (10,),
    "pos": (11,),
    "ner": (12,),
    "did": (16,),
    "sa": (18,),
    "tc": (17,),
    "nli": (13,),
    "mrc": (19,),
    "eqa": (14, 15),
    "mt": (20,),
}


def title(name):
    """A cluster's name as a heading: only the first letter is made a capital."""
    return name[:1].upper() + name[1:]


def table(number):
    """A link to a table of the paper, which has its number here too.

    Not the role numref: for each use of it Sphinx reads the whole page of the table again.
    """
    return f"{{ref}}`Table {number} <tab-{number}>`"


def figure(number):
    """A link to a figure of the paper, which has its number here too."""
    return f"{{ref}}`Figure {number} <fig-{number}>`"


def sources(task):
    """Links to the notebook and the result tables of a task."""
    tables = " and ".join(table(n) for n in RESULT_TABLES[task])
    return f"{{ref}}`nb-{NOTEBOOKS[task]}`, {tables}"
