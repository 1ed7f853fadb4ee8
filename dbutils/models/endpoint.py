"""A language model behind an OpenAI-compatible server: chat completions or plain completions, by base URL.

The key comes from the environment variable DBUTILS_ENDPOINT_KEY and from nowhere else. It stands in no object, file or
message of ours, and server messages that repeat it are blackened. How many requests run at once, how long one may take and
how often it is tried (DBUTILS_ENDPOINT_PARALLEL, _TIMEOUT, _TRIES) change no result.
"""

import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from dbutils.corpora.text import mended
from dbutils.errors import InputError

URL, KEY = "DBUTILS_ENDPOINT", "DBUTILS_ENDPOINT_KEY"
AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}  # statuses that may pass
WAIT = (1.0, 60.0)  # seconds: before the second try, and at most
LARGEST = 4 * 2**20  # bytes of an answer
APART = ("reasoning_content", "reasoning")  # where servers put a reasoning model's thoughts


class Passing(Exception):
    """A failure that may pass. after: seconds that the server asks to wait, or None."""

    def __init__(self, text, after=None):
        super().__init__(text)
        self.after = after


def checked_url(text):
    """A base URL without the slash at its end; InputError for what is none, or holds secrets."""
    if not text:
        raise InputError(f"an endpoint needs its address: set {URL}, or --set base_url=http://HOST/v1")
    try:
        parts = urlsplit(text)
        parts.port, text.encode("ascii")  # noqa: B018
    except ValueError:
        raise InputError(f"base_url {text!r}: must be like https://HOST/v1") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(f"base_url: a name, key or query in the address would be recorded; put the key into {KEY}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"base_url {text!r}: must be like https://HOST/v1")
    return text.rstrip("/")


class Endpoint:
    """Asks `model` at a base URL. chat: chat completions, else plain ones. sleep: for tests."""

    def __init__(self, model, base_url, chat=True, sleep=time.sleep):
        self.model, self.url, self.chat, self._sleep = model, checked_url(base_url), chat, sleep
        self.tries, self.parallel = _whole("DBUTILS_ENDPOINT_TRIES", 6), _whole("DBUTILS_ENDPOINT_PARALLEL", 4)
        self.timeout = _whole("DBUTILS_ENDPOINT_TIMEOUT", 120)
        self.retries = 0  # requests that had to be made again
        self.tokens = 0  # as the server counts them
        self.thoughts = 0  # answers of a reasoning model whose thoughts the server sends apart; they are left out
        self.mended = 0  # half characters (lone surrogates), replaced by U+FFFD
        opener = urllib.request.build_opener(_NoRedirect)
        opener.addheaders = []
        self._open = opener.open

    def fits(self, prompt, room):
        """Always: what is too long for the model only its server knows."""
        return True

    def generate(self, prompts, max_new_tokens):
        """Yield ([index], [answer]) in the order in which answers come, a bounded number of requests at a time.

        Raises InputError for what will not pass, or did not within the tries; answers that came are yielded before.
        """
        waiting, running = list(range(len(prompts)))[::-1], {}
        with ThreadPoolExecutor(self.parallel) as pool:
            failure = None
            while running or (waiting and failure is None):
                while waiting and failure is None and len(running) < self.parallel:
                    index = waiting.pop()
                    running[pool.submit(self.ask, prompts[index], max_new_tokens)] = index
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    index = running.pop(future)
                    if future.exception() is None:
                        yield [index], [future.result()]
                    else:
                        failure = failure or future.exception()
        if failure is not None:
            raise failure

    def ask(self, prompt, max_new_tokens):
        """The model's answer to one prompt, tried again with growing pauses while the failure may pass."""
        body = {"model": self.model, "temperature": 0, "max_tokens": max_new_tokens}
        body |= {"messages": [{"role": "user", "content": prompt}]} if self.chat else {"prompt": prompt}
        for turn in range(1, self.tries + 1):
            try:
                return self._answer(self._post(body))
            except Passing as failure:
                if turn == self.tries:
                    text = f"{self.url}: {failure}; tried {turn} times; give the same command again to go on"
                    raise InputError(self._blackened(text)) from None
                self.retries += 1
                self._sleep(self._pause(turn, failure.after))
        return None

    def _pause(self, turn, after):
        first, most = WAIT
        own = min(most, first * 2 ** (turn - 1)) * (0.5 + random.random() / 2)
        return own if after is None else min(max(after, 0.0), 10 * most)

    def _post(self, body):
        """The bytes of the server's answer."""
        path = "/chat/completions" if self.chat else "/completions"
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "dbutils"}
        if os.environ.get(KEY):
            headers["Authorization"] = f"Bearer {os.environ[KEY]}"
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers, method="POST")
        try:
            with self._open(request, timeout=self.timeout) as answer:
                content = answer.read(LARGEST + 1)
                promised = answer.headers.get("Content-Length")
                if promised and promised.isdecimal() and len(content) < int(promised):
                    raise Passing("the answer broke off")
        except urllib.error.HTTPError as error:
            with error:
                self._refused(error)
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            if isinstance(error, http.client.InvalidURL) or "unknown url type" in str(reason):
                text = f"{self.url}: the proxy that the environment names cannot be used ({reason}); set another or no_proxy"
                raise InputError(self._blackened(text)) from None
            raise Passing(f"no answer ({type(error).__name__}: {' '.join(str(reason).split())})") from None
        except ValueError:  # of a header: the key has a line break or a letter that no header may have
            raise InputError(f"{KEY}: the key cannot be sent; check it for line breaks and foreign letters") from None
        if len(content) > LARGEST:
            raise InputError(f"{self.url}: its answer is longer than {LARGEST} bytes; this is no completion")
        return content

    def _refused(self, error):
        """Raise what an HTTP error means."""
        try:
            said = " ".join(error.read(2000).decode("utf-8", "replace").split())[:200]
        except (OSError, http.client.HTTPException):
            said = ""
        said = self._blackened(said)
        if error.code in AGAIN:
            raise Passing(f"status {error.code} {said}".strip(), _seconds(error.headers.get("Retry-After")))
        if error.code in (401, 403):
            raise InputError(f"{self.url}: refused (status {error.code}); is {KEY} set and right?")
        if 300 <= error.code < 400:
            raise InputError(f"{self.url}: sends elsewhere (status {error.code}); give the final address as base_url")
        hint = (
            "; does base_url end as the server wants, often in /v1, and has it this model?" if error.code == 404 else ""
        )
        raise InputError(f"{self.url}: status {error.code} {said}".rstrip() + hint)

    def _answer(self, content):
        """The text of an answer; Passing for a damaged one, InputError for one that is no completion of this model."""
        if content.lstrip()[:1] == b"<":
            raise InputError(
                f"{self.url}: answers with a web page; base_url must be the address of the interface, often .../v1"
            )
        try:
            found = json.loads(content.decode("utf-8"))
            choice = found["choices"][0]
            message = choice["message"] if self.chat else choice
            text = message.get("content") if self.chat else message["text"]
            apart = any(message.get(name) for name in APART)
            if isinstance(text, list):  # some servers send an answer in parts
                apart = apart or any(part["type"] != "text" for part in text)
                text = "".join(part["text"] for part in text if part["type"] == "text")
            named = found.get("model", self.model)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise Passing(f"a malformed answer ({type(error).__name__} {' '.join(str(error).split())[:80]})") from None
        if apart and text is None:  # all that was allowed went into the thoughts
            text = ""
        if not isinstance(text, str) or not isinstance(named, str):
            raise Passing("a malformed answer (its text is none)")
        if not _same_model(self.model, named):
            raise InputError(self._blackened(f"{self.url}: asked for model {self.model!r}, answered by {named[:80]!r}"))
        usage = found.get("usage")
        total = usage.get("total_tokens") if isinstance(usage, dict) else None
        self.tokens += total if isinstance(total, int) else 0
        self.thoughts += apart
        text, broken = mended(text)
        self.mended += broken
        return text.strip()

    def _blackened(self, text):
        key = os.environ.get(KEY)
        return text.replace(key, "[key]") if key else text


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirection, which would carry the key elsewhere."""

    def redirect_request(self, *_):
        return None


def _same_model(asked, named):
    """Whether a model's name is the one asked for; servers may put an owner before it or a date behind it."""
    one, other = sorted((asked.rpartition("/")[2], named.rpartition("/")[2]), key=len)
    return other == one or (bool(one) and other.startswith(one) and other[len(one)] in "-@:")


def _seconds(text):
    """Retry-After as seconds, None if it says nothing: a number, or a date."""
    try:
        return float(text) if float(text) >= 0 else None
    except (TypeError, ValueError):
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _whole(name, default):
    text = os.environ.get(name) or str(default)
    if not text.isdecimal() or not int(text):
        raise InputError(f"{name}={text}: must be a whole number above 0")
    return int(text)
