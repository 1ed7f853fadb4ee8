"""Publish it: execute the notebooks with checked parameters, assemble, check and serve the book."""


def begin(namespace):
    """Check the parameters of a notebook; see `dbutils.book.parameters.begin`."""
    from dbutils.book.parameters import begin

    return begin(namespace)
