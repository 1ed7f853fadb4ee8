"""`dbutils book build|check|serve`."""

from dbutils.cli import files


def add(commands):
    """Add the command to the sub-parsers."""
    command = commands.add_parser("book", help="build, check or serve the book")
    what = command.add_subparsers(dest="what", metavar="build|check|serve")
    build = what.add_parser("build", help="build _build/html from book/ (the default)")
    build.add_argument("--all", action="store_true", help="build every page anew")
    check = what.add_parser("check", help="check the built book: links, pictures, tables, search, no outside requests")
    check.add_argument(
        "--browser",
        choices=["auto", "required", "off"],
        default="auto",
        help="auto: in a Chromium if there is one; required: fail without one",
    )
    check.add_argument(
        "--html", metavar="DIR", type=files.Folder(), help="folder of the built book (default: _build/html)"
    )
    serve = what.add_parser("serve", help="serve the built book on this machine")
    serve.add_argument("--port", type=files.port, default=8000, metavar="N", help="default 8000; 0: a free one")
    command.set_defaults(run=run, what="build", all=False)


def run(arguments):
    """Exit status 0, or 1 if the build or a check found something."""
    if arguments.what == "check":
        from dbutils.book import check

        return check.main(arguments.html, arguments.browser)
    if arguments.what == "serve":
        from dbutils.book import serve

        return serve.main(arguments.port)
    from dbutils.book import build

    return build.main(everything=arguments.all)
