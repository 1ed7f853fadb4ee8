"""The public interface: names that a notebook or a program of one's own needs, each an attribute of `dbutils`."""

__all__ = ["dataset"]


def dataset(task, corpus, code, split="test"):
    """The examples of a corpus as a `datasets.Dataset` with features, licence, homepage and citation.

    task: its code. corpus: an id of the catalogue, or `sandbox` for the constructed varieties. code: what the corpus calls the
    variety. split: its name in the corpus. Labels and tags are classes in the fixed order of the split's label set.
    Raises InputError for an unknown name, and for a corpus that is not on disk (how to get it).
    """
    from dbutils.experiments import parts

    return parts.dataset(task, parts.Part(corpus, code, split))
