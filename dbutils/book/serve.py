"""Serve the built book on this machine only."""

import sys
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from dbutils import paths
from dbutils.errors import InputError

HTML = paths.ROOT / "_build" / "html"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def built(folder=None):
    """The folder of the built book; InputError if it was not built."""
    folder = Path(folder or HTML)
    if not (folder / "index.html").is_file():
        raise InputError(f"{folder}: no built book here; run 'make book' first")
    return folder


@contextmanager
def serving(folder, port=0):
    """Serve `folder` on localhost in the background (port 0: a free one); yields the address."""
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def main(port):
    """Serve until interrupted; exit status 0."""
    folder = built()
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(folder)))
    except OSError as error:
        raise InputError(f"port {port} cannot be used ({error.strerror}); choose another with --port") from None
    print(f"http://127.0.0.1:{server.server_port} (stop with Ctrl+C)", file=sys.stderr)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    return 0
