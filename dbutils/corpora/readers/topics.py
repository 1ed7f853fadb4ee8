"""Topic classification: SIB-200."""

from dbutils.corpora import store
from dbutils.corpora.examples import TextExample
from dbutils.corpora.formats import tables
from dbutils.corpora.readers import texts

TOPICS = ("science/technology", "travel", "politics", "sports", "health", "entertainment", "geography")


def sib_200(task, code, split):
    """Sentences of FLORES-200 with a topic; ids and labels are the same in every variety."""
    path = store.find("sib-200", f"data/annotated/{code}/{split}.tsv")
    labels = {topic: topic for topic in TOPICS}
    for line, row in tables.plain_named(path, ("index_id", "category", "text")):
        yield TextExample(row["index_id"], row["text"], texts.label(path, line, row["category"], labels))
