"""A local HTTP server that serves well, and one path per way of misbehaving."""

import http.server
import threading
import time
from collections import Counter

CONTENT = bytes(range(256)) * 800  # 204,800 bytes
HTML = b"<!DOCTYPE html><html><body>404 not found, sorry</body></html>"
LOGIN = b"<html><body>Please log in: password</body></html>"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"


class Server:
    """`address(path)` gives addresses; `files` maps further paths to bytes; `hits` counts requests.

    delay: seconds between blocks of the well-served files, so that a download can be interrupted.
    """

    def __init__(self):
        self.files, self.hits, self.ranges, self.delay = {}, Counter(), [], 0.0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                outer.hits[self.path] += 1
                outer.ranges.append(self.headers.get("Range", ""))
                behaviour = getattr(outer, f"_{self.path.strip('/').replace('-', '_')}", None)
                try:
                    if self.path in outer.files:
                        outer._serve(self, outer.files[self.path])
                    elif behaviour:
                        behaviour(self)
                    else:
                        self.send_error(404)
                except (BrokenPipeError, ConnectionResetError):
                    pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def address(self, path):
        return f"http://127.0.0.1:{self.http.server_port}/{path}"

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    def _serve(self, request, content, ranges=True, etag='"1"'):
        start = 0
        asked = request.headers.get("Range", "")
        if ranges and asked and request.headers.get("If-Range", etag) == etag:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(content):
                request.send_response(416)
                request.send_header("Content-Length", "0")
                request.end_headers()
                return
            request.send_response(206)
            request.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            request.send_response(200)
        request.send_header("ETag", etag)
        request.send_header("Content-Length", str(len(content) - start))
        request.end_headers()
        for at in range(start, len(content), 8192):
            request.wfile.write(content[at : at + 8192])
            if self.delay:
                request.wfile.flush()
                time.sleep(self.delay)

    def _partly(self, request, stated, content, ranges=False):
        request.send_response(206 if ranges else 200)
        request.send_header("Content-Length", str(stated))
        request.end_headers()
        request.wfile.write(content)
        request.wfile.flush()
        request.close_connection = True

    def _good(self, request):
        self._serve(request, CONTENT)

    def _no_ranges(self, request):
        self._serve(request, CONTENT, ranges=False)

    def _other_version(self, request):
        self._serve(request, CONTENT, etag='"2"')

    def _breaks_once(self, request):
        if self.hits[request.path] == 1:
            self._partly(request, len(CONTENT), CONTENT[:100_000])
        else:
            self._serve(request, CONTENT)

    def _always_truncates(self, request):
        self._partly(request, len(CONTENT), CONTENT[:1000])

    def _stalls(self, request):
        request.send_response(200)
        request.send_header("Content-Length", str(len(CONTENT)))
        request.end_headers()
        request.wfile.write(CONTENT[:5000])
        request.wfile.flush()
        time.sleep(3)
        request.close_connection = True

    def _redirects(self, request):
        request.send_response(302)
        request.send_header("Location", self.address("good"))
        request.send_header("Content-Length", "0")
        request.end_headers()

    def _redirects_for_ever(self, request):
        request.send_response(302)
        request.send_header("Location", self.address("redirects-for-ever"))
        request.send_header("Content-Length", "0")
        request.end_headers()

    def _states_too_little(self, request):
        self._partly(request, 1000, CONTENT)

    def _states_too_much(self, request):
        self._partly(request, 10**13, CONTENT)

    def _wrong_content(self, request):
        self._serve(request, b"x" * len(CONTENT))

    def _endless(self, request):
        request.send_response(200)
        request.end_headers()
        request.close_connection = True
        while True:
            request.wfile.write(b"x" * 65536)

    def _html(self, request):
        self._serve(request, HTML)

    def _login(self, request):
        self._serve(request, LOGIN)

    def _pointer(self, request):
        self._serve(request, LFS)

    def _busy_once(self, request):
        if self.hits[request.path] == 1:
            self._status(request, 503)
        else:
            self._serve(request, CONTENT)

    def _forbidden(self, request):
        self._status(request, 403)

    def _status(self, request, code):
        request.send_response(code)
        request.send_header("Content-Length", "0")
        request.end_headers()
