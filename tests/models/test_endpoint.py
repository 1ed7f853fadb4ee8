"""A server on this machine that fails, stalls, limits, breaks off and lies; and what becomes of each."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dbutils.errors import InputError
from dbutils.models import endpoint
from dbutils.models.endpoint import KEY, Endpoint

SECRET = "sk-very-secret-0123"


class Server(ThreadingHTTPServer):
    """Answers each request by the next of `plan` (the last one again and again): a function of handler and request."""

    daemon_threads = True

    def __init__(self, *plan):
        super().__init__(("127.0.0.1", 0), Handler)
        self.plan, self.seen = list(plan), []
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_):
        """Clients that leave are no news."""


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            number = len(self.server.seen)
            self.server.seen.append((self.path, dict(self.headers), body))
        self.server.plan[min(number, len(self.server.plan) - 1)](self, body)

    do_GET = do_POST

    def send(self, content, status=200, kind="application/json", **headers):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(content), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def right(handler, body):
    said = body["messages"][0]["content"] if "messages" in body else body["prompt"]
    part = {"message": {"role": "assistant", "content": said.upper()}} if "messages" in body else {"text": said.upper()}
    handler.send({"model": body["model"], "choices": [{**part, "finish_reason": "stop"}], "usage": {"total_tokens": 7}})


def sends(content, status=200, **headers):
    return lambda handler, body: handler.send(content, status, **headers)


def says(content, model="m"):
    return sends({"model": model, "choices": [{"message": {"content": content}}]})


def breaks_off(handler, body):
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def hangs_up(handler, body):
    handler.connection.close()


def stalls(handler, body):
    time.sleep(1.5)
    right(handler, body)


@pytest.fixture
def serve(monkeypatch):
    """serve(*plan, **options) -> (server, Endpoint, pauses): nothing really waits."""
    monkeypatch.setenv(KEY, SECRET)
    servers = []

    def start(*plan, model="m", **options):
        servers.append(Server(*plan))
        pauses = []
        return servers[-1], Endpoint(model, servers[-1].url, sleep=pauses.append, **options), pauses

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def answers(asked, prompts):
    out = {}
    for places, texts in asked.generate(prompts, 5):
        out.update(zip(places, texts, strict=True))
    return [out[place] for place in range(len(prompts))]


def test_a_chat_request_and_its_answer(serve):
    server, asked, _ = serve(right)
    assert answers(asked, ["hello"]) == ["HELLO"] and asked.tokens == 7
    path, headers, body = server.seen[0]
    assert path == "/v1/chat/completions" and headers["Authorization"] == f"Bearer {SECRET}"
    assert body == {"model": "m", "temperature": 0, "max_tokens": 5, "messages": [{"role": "user", "content": "hello"}]}


def test_a_plain_request_without_a_key(serve, monkeypatch):
    server, asked, _ = serve(right, chat=False)
    monkeypatch.delenv(KEY)
    assert answers(asked, ["hello"]) == ["HELLO"]
    path, headers, body = server.seen[0]
    assert path == "/v1/completions" and "Authorization" not in headers and body["prompt"] == "hello"


@pytest.mark.parametrize(
    "failure",
    [
        sends({"error": "x"}, 500),
        sends(b"busy", 503),
        sends({}, 429),
        sends({}, 529),
        breaks_off,
        hangs_up,
        sends(b"{not json"),
        sends(b""),
        sends({}),
        sends([1]),
        sends({"choices": []}),
        sends({"choices": [{}]}),
        sends({"choices": [{"message": {}}]}),
        says(None),
        says(3),
        sends(b"\xff\xfe"),
        sends({"choices": None}),
        sends({"model": 3, "choices": [{"message": {"content": "x"}}]}),
    ],
)
def test_what_may_pass_is_tried_again_with_growing_pauses(serve, failure):
    server, asked, pauses = serve(failure, failure, failure, right)
    assert answers(asked, ["a"]) == ["A"]
    assert len(server.seen) == 4 and asked.retries == 3
    assert 0.5 <= pauses[0] <= 1 <= pauses[1] <= 2 <= pauses[2] <= 4


def test_what_does_not_pass_is_given_up_in_one_line(serve, monkeypatch):
    monkeypatch.setenv("DBUTILS_ENDPOINT_TRIES", "3")
    server, asked, pauses = serve(sends({"error": f"overload of {SECRET}"}, 503))
    with pytest.raises(InputError, match="status 503 .*tried 3 times; give the same command again") as error:
        answers(asked, ["a"])
    assert SECRET not in str(error.value) and "[key]" in str(error.value) and "\n" not in str(error.value)
    assert len(server.seen) == 3 and len(pauses) == 2


def test_a_server_that_says_when_to_come_back_is_heeded(serve):
    _, asked, pauses = serve(
        sends({}, 429, Retry_After="7"), sends({}, 503, Retry_After="0"), sends({}, 429, Retry_After="soon"), right
    )
    assert answers(asked, ["a"]) == ["A"]
    assert pauses[:2] == [7.0, 0.0] and 2 <= pauses[2] <= 4


def test_a_date_to_come_back_at():
    from email.utils import formatdate

    assert 55 < endpoint._seconds(formatdate(time.time() + 60)) <= 60
    assert endpoint._seconds(formatdate(0)) == 0 and endpoint._seconds("-3") is None and endpoint._seconds(None) is None


def test_a_stalling_server_is_left_and_tried_again(serve, monkeypatch):
    monkeypatch.setenv("DBUTILS_ENDPOINT_TIMEOUT", "1")
    server, asked, pauses = serve(stalls, right)
    assert answers(asked, ["a"]) == ["A"] and len(pauses) == 1 and len(server.seen) == 2


@pytest.mark.parametrize(
    ("reply", "says_"),
    [
        (sends({"error": f"no {SECRET}"}, 401), f"refused .status 401.; is {KEY} set and right"),
        (sends({}, 403), "status 403"),
        (sends({"error": "no such model"}, 404), "status 404 .*no such model.*has it this model"),
        (sends({"error": f"too long\nfor {SECRET}"}, 400), "status 400 .*too long"),
        (sends(b"", 307, Location="http://127.0.0.1:9/v1"), "sends elsewhere .status 307"),
        (sends(b"<!DOCTYPE html><html>Welcome", kind="text/html"), "answers with a web page"),
        (sends(b"\n <html>", 200), "answers with a web page"),
        (says("x", model="other-model"), "asked for model 'm', answered by 'other-model'"),
        (says("x", model="mixtral"), "answered by 'mixtral'"),
        (sends(b" " * (endpoint.LARGEST + 1)), "longer than"),
    ],
)
def test_what_will_not_pass_stops_at_once_and_never_tells_the_key(serve, reply, says_):
    server, asked, pauses = serve(reply)
    with pytest.raises(InputError, match=says_) as error:
        answers(asked, ["a"])
    assert len(server.seen) == 1 and pauses == []
    assert SECRET not in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "foo:bar:baz"])
def test_a_proxy_that_cannot_be_used_is_one_line_at_once(monkeypatch, proxy):
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    pauses = []
    with pytest.raises(InputError, match="http://h.test/v1: the proxy that the environment names cannot be used"):
        answers(Endpoint("m", "http://h.test/v1", sleep=pauses.append), ["a"])
    assert pauses == []


def message(**parts):
    return sends({"model": "m", "choices": [{"message": {"role": "assistant", **parts}, "finish_reason": "length"}]})


@pytest.mark.parametrize(
    ("reply", "text", "thoughts", "mended"),
    [
        (message(content="sports", reasoning_content="it is travel or sports"), "sports", 1, 0),
        (message(content="sports", reasoning="it is travel or sports"), "sports", 1, 0),
        (message(content=None, reasoning_content="it is travel or"), "", 1, 0),
        (message(reasoning="it is travel or"), "", 1, 0),
        (message(content="sports", reasoning_content=None), "sports", 0, 0),
        (message(content=[{"type": "text", "text": "spo"}, {"type": "text", "text": "rts"}]), "sports", 0, 0),
        (message(content=[{"type": "thinking", "thinking": []}, {"type": "text", "text": "sports"}]), "sports", 1, 0),
        (message(content="sports \ud83d"), "sports \ufffd", 0, 1),
        (message(content="sports \U0001f600"), "sports \U0001f600", 0, 0),
    ],
)
def test_thoughts_that_come_apart_are_left_out_and_half_characters_replaced(serve, reply, text, thoughts, mended):
    _, asked, _ = serve(reply)
    assert answers(asked, ["a"]) == [text]
    assert (asked.thoughts, asked.mended) == (thoughts, mended)


def test_names_of_one_model(serve):
    _, asked, _ = serve(says("x", model="owner/m-2024-05-01"), says("", model="m"))
    assert answers(asked, ["a"]) == ["x"] and answers(asked, ["b"]) == [""]


def test_no_more_requests_at_once_than_allowed_and_answers_at_their_places(serve, monkeypatch):
    monkeypatch.setenv("DBUTILS_ENDPOINT_PARALLEL", "3")

    inside, seen = [], []

    def slowly(handler, body):
        inside.append(1)
        time.sleep(0.05 if body["messages"][0]["content"] in ("p0", "p5") else 0.01)
        seen.append(len(inside))
        inside.pop()
        right(handler, body)

    _, asked, _ = serve(slowly)
    assert answers(asked, [f"p{n}" for n in range(20)]) == [f"P{n}" for n in range(20)]
    assert max(seen) == 3


def test_answers_that_came_before_a_failure_are_not_lost(serve):
    _, asked, _ = serve(right, right, sends({}, 401))
    asked.parallel, got = 1, []
    with pytest.raises(InputError, match="401"):
        for places, texts in asked.generate(["a", "b", "c", "d"], 5):
            got += zip(places, texts, strict=True)
    assert got == [(0, "A"), (1, "B")]


def test_no_server_at_all_is_one_line(monkeypatch):
    monkeypatch.setenv("DBUTILS_ENDPOINT_TRIES", "2")
    asked = Endpoint("m", "http://127.0.0.1:9/v1/", sleep=lambda _: None)
    with pytest.raises(InputError, match="http://127.0.0.1:9/v1: no answer .*; tried 2 times"):
        answers(asked, ["a"])


@pytest.mark.parametrize(
    ("url", "says_"),
    [
        ("", "set DBUTILS_ENDPOINT"),
        ("host/v1", "must be like https://HOST/v1"),
        ("http://[::1/v1", "must be like"),
        ("http://host:abc/v1", "must be like"),
        ("http://host/é", "must be like"),
        ("ftp://host/v1", "must be like"),
        ("https://me:pw@host/v1", "would be recorded"),
        ("https://host/v1?key=x", "would be recorded"),
    ],
)
def test_addresses_that_are_none_or_hold_secrets(url, says_):
    with pytest.raises(InputError, match=says_) as error:
        Endpoint("m", url)
    assert "pw" not in str(error.value)


def test_a_key_that_cannot_be_sent_is_not_told(serve, monkeypatch):
    monkeypatch.setenv(KEY, "a\nb")
    _, asked, _ = serve(right)
    with pytest.raises(InputError, match="the key cannot be sent"):
        answers(asked, ["a"])


def test_settings_from_the_environment_are_checked(monkeypatch):
    monkeypatch.setenv("DBUTILS_ENDPOINT_PARALLEL", "many")
    with pytest.raises(InputError, match="DBUTILS_ENDPOINT_PARALLEL=many: must be a whole number above 0"):
        Endpoint("m", "http://host/v1")
