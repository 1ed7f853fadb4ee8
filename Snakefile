"""The book as a graph of files: a notebook runs again when its source, its parameters, or the code and data
that it used change; so do the generated pages.

    snakemake --cores 2              everything up to _build/html
    snakemake --cores 2 notebooks    the notebooks only
    snakemake --cores 2 experiments  a matrix of experiments: workflow/experiments.smk

The same file runs on a cluster through an executor plugin (`--executor slurm` and the like). Which
notebook runs with which parameters stands in notebooks/matrix/book.yaml; another list is chosen by
`--config matrix=FILE`. Papermill's own output, failed or not, is under logs/.
"""

import hashlib
import shlex
import sys
from pathlib import Path

sys.path.insert(0, workflow.basedir)
from dbutils.book import uses
from dbutils.book.jobs import jobs, words

PYTHON = shlex.quote(sys.executable)
MATRIX = config.get("matrix", "notebooks/matrix/book.yaml")


def files(folder, *patterns):
    """Files below a folder, sorted, as text, without hidden ones."""
    found = {path for pattern in patterns for path in Path(folder).rglob(pattern) if path.is_file()}
    return sorted(path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts))


def digest(name):
    return hashlib.sha256(Path(name).read_bytes()).hexdigest()


def arguments(wildcards):
    """The parameters of a job as words of the command line."""
    return shlex.join(words(JOBS[wildcards.name]))


JOBS = jobs(MATRIX)
SOURCES = ("*.md", "*.bib", "*.yml", "*.py", "*.css", "*.js", "*.html", "*.png", "*.svg", "*.woff2", "*.ttf")
MADE = ("book/executed/", "book/generated/")


rule book:
    input:
        notebooks=expand("book/executed/{name}.ipynb", name=JOBS),
        pages="book/generated/pages.json",
        config="_config.yml",
        sources=[name for name in files("book", *SOURCES) if not name.startswith(MADE)],
    output:
        "_build/html/index.html",
    params:
        build=digest("dbutils/book/build.py"),
    log:
        "logs/book.txt",
    message:
        "Building the book"
    shell:
        "{PYTHON} -m dbutils book build > {log} 2>&1"
        " || {{ grep -aE 'WARNING|ERROR|CRITICAL|^dbutils:' {log} >&2 || tail -n 40 {log} >&2; exit 1; }}"


rule notebooks:
    input:
        expand("book/executed/{name}.ipynb", name=JOBS),


rule notebook:
    input:
        lambda wildcards: f"notebooks/{JOBS[wildcards.name].notebook}.ipynb",
    output:
        notebook="book/executed/{name}.ipynb",
        record="book/executed/{name}.ipynb.run.json",
    params:
        arguments=arguments,
        # a word that changes when what the notebook read, says its record, is no longer as it was
        state=lambda wildcards: uses.state(f"book/executed/{wildcards.name}.ipynb.run.json"),
    log:
        notebook="logs/{name}.ipynb",
        text="logs/{name}.txt",
    threads: 1
    resources:
        mem_mb=4000,
        runtime=120,
    message:
        "Running the notebook {wildcards.name}"
    shell:
        "DBUTILS_STATE={params.state} {PYTHON} -m dbutils notebook {input} {params.arguments} -o {output.notebook}"
        " --log {log.notebook} > {log.text} 2>&1 || {{ tail -n 1 {log.text} >&2; exit 1; }}"


rule pages:
    output:
        "book/generated/pages.json",
    params:
        state=uses.state("book/generated/pages.json"),
    message:
        "Writing the generated pages"
    shell:
        "DBUTILS_STATE={params.state} {PYTHON} -m dbutils.book.pages {output}"


include: "workflow/experiments.smk"
