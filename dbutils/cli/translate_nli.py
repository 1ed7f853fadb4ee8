"""`dbutils translate-nli`: the translate-test set for natural language inference, made anew."""

import sys

from dbutils.cli import files


def add(commands):
    """Add `translate-nli` to the command line."""
    p = commands.add_parser(
        "translate-nli",
        help="translate XNLI's English test set into the varieties of Table 7",
        description="Writes DIR/dialect_nli/test.tsv as the corpus reader of dialect_nli reads it, with a data card, a quality "
        "report and the list of suspicious translations. A killed job goes on where it was; shards may run anywhere that "
        "sees DIR, and the last one writes the set. Needs the corpora xnli-en and c-xnli. Prints the quality report.",
    )
    p.add_argument(
        "--model",
        required=True,
        metavar="M",
        type=files.Source(),
        help="a translator (nllb-600m ..., a folder, a hub id), or copy",
    )
    p.add_argument("--code", nargs="+", action="extend", default=[], metavar="CODE", help="these varieties only")
    p.add_argument("--shard", default="1/1", metavar="I/N", help="do part I of N (default 1/1)")
    p.add_argument("--limit", type=int, default=0, metavar="N", help="at most N pairs (default: all)")
    p.add_argument(
        "--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE", help="such as beams=1 max_length=128"
    )
    p.add_argument(
        "-o",
        "--output",
        default="translate-nli",
        metavar="DIR",
        type=files.Folder(writable=True),
        help="folder (default translate-nli)",
    )
    p.set_defaults(run=run)


def run(arguments):
    """Make one shard of the set; print the quality report if it is complete."""
    from dbutils import models, tasks
    from dbutils.cli.run import pairs
    from dbutils.errors import InputError
    from dbutils.experiments.request import overridden
    from dbutils.experiments.translate_test import Job, shard

    if arguments.limit < 0:
        raise InputError(f"--limit {arguments.limit}: must be a whole number from 0")
    part = shard(arguments.shard)
    model = models.resolve(arguments.model)
    hyper = overridden("mt", tasks.hyper("mt", "paper", model, "sound"), pairs(arguments.set), model)
    job = Job(model, hyper, arguments.code, arguments.limit, arguments.output, _say)
    folder = job.run(*part)
    if folder is not None:
        _say(f"written: {folder}")
        print((folder / "quality.csv").read_text(encoding="utf-8"), end="")
    return 0


def _say(text):
    print(text, file=sys.stderr, flush=True)
