import hashlib

import pytest

from dbutils.corpora.download import fetch
from dbutils.errors import InputError

FAST = {"timeout": 0.5, "pause": 0.01, "attempts": 3}


@pytest.fixture
def got(server, tmp_path):
    """got(path of the server, ...): fetch it; returns (bytes of the target or None, error message)."""
    target = tmp_path / "in" / "file.bin"

    def run(path, size=-1, sha256="", **options):
        try:
            fetch(server.address(path), target, size, sha256, **{**FAST, **options})
        except InputError as error:
            return (target.read_bytes() if target.exists() else None), str(error)
        return target.read_bytes(), ""

    run.part = tmp_path / "in" / ".file.bin.part"
    run.etag = tmp_path / "in" / ".file.bin.part.etag"
    return run


def sha(content):
    return hashlib.sha256(content).hexdigest()


def test_a_good_file_arrives_whole_and_leaves_nothing_beside_it(got, server):
    assert got("good", len(server.content), sha(server.content)) == (server.content, "")
    assert not got.part.exists() and not got.etag.exists()


def test_redirects_are_followed(got, server):
    assert got("redirects") == (server.content, "")


def test_endless_redirects_end_in_an_error(got):
    content, message = got("redirects-for-ever")
    assert content is None and "redirects" in message.lower()


def test_a_broken_transfer_is_resumed_where_it_ended(got, server):
    assert got("breaks-once", sha256=sha(server.content)) == (server.content, "")
    assert server.ranges == ["", "bytes=100000-"]  # not a byte of what had arrived is asked for again


def test_a_later_call_goes_on_with_the_part_of_an_earlier_one(got, server):
    got.part.parent.mkdir()
    got.part.write_bytes(server.content[:50_000])
    got.etag.write_text('"1"')
    assert got("good") == (server.content, "")
    assert server.ranges == ["bytes=50000-"]


def test_a_part_of_another_version_is_not_joined(got, server):
    got.part.parent.mkdir()
    got.part.write_bytes(b"old" * 1000)
    got.etag.write_text('"1"')
    assert got("other-version") == (server.content, "")


def test_a_server_without_ranges_starts_again(got, server):
    got.part.parent.mkdir()
    got.part.write_bytes(server.content[:50_000])
    assert got("no-ranges", sha256=sha(server.content)) == (server.content, "")


def test_a_complete_part_needs_no_further_byte(got, server):
    got.part.parent.mkdir()
    got.part.write_bytes(server.content)
    assert got("good", sha256=sha(server.content)) == (server.content, "")


def test_a_wrong_part_is_thrown_away_and_fetched_again(got, server):
    got.part.parent.mkdir()
    got.part.write_bytes(b"x" * 50_000)
    assert got("good", sha256=sha(server.content)) == (server.content, "")
    assert server.ranges == ["bytes=50000-", ""]


def test_a_server_that_keeps_truncating_is_an_error_and_no_file(got):
    content, message = got("always-truncates")
    assert content is None
    assert "1000 bytes" in message and "run the same command again to go on" in message
    assert got.part.stat().st_size > 0  # what arrived is kept for the next try


def test_a_stalling_server_is_given_up_and_what_arrived_is_kept(got):
    content, message = got("stalls", attempts=2)
    assert content is None and "timed out" in message.lower()
    assert got.part.stat().st_size == 5000


def test_a_wrong_checksum_is_named_and_nothing_is_left(got, server):
    content, message = got("wrong-content", sha256=sha(server.content))
    assert content is None and f"the record says {sha(server.content)}" in message
    assert not got.part.exists()


def test_a_length_stated_too_small_is_found_by_size_or_checksum(got, server):
    assert "1000 bytes arrived where 204800 were expected" in got("states-too-little", size=len(server.content))[1]
    assert "sha256" in got("states-too-little", sha256=sha(server.content))[1]


def test_a_length_stated_too_large_is_refused_before_a_byte_is_read(got):
    content, message = got("states-too-much", size=204800)
    assert content is None and "offers 10000000000000 bytes where at most 204800" in message


def test_an_endless_answer_is_cut_off(got):
    content, message = got("endless", size=300_000)
    assert content is None and "sends more than the 300000 bytes expected" in message


@pytest.mark.parametrize(
    ("path", "what"), [("html", "a web page"), ("login", "a login page"), ("pointer", "a Git LFS pointer")]
)
def test_pages_and_pointers_are_not_data(got, path, what):
    content, message = got(path)
    assert content is None and f"the server sent {what}, not the data" in message
    assert not got.part.exists()


def test_a_busy_server_is_asked_again(got, server):
    assert got("busy-once") == (server.content, "")


@pytest.mark.parametrize(("path", "status"), [("forbidden", 403), ("absent", 404)])
def test_a_refusal_is_final_and_names_the_address(got, server, path, status):
    content, message = got(path)
    assert content is None and f"/{path}: the server answered {status}" in message
    assert server.hits[f"/{path}"] == 1


def test_a_host_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(InputError) as error:
        fetch("http://127.0.0.1:9/x", tmp_path / "x", attempts=1)
    assert "\n" not in str(error.value) and "127.0.0.1:9/x" in str(error.value)


def test_progress_counts_up_to_the_size(got, server):
    seen = []
    got("good", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (204800, 204800) and [d for d, _ in seen] == sorted(d for d, _ in seen)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("http_proxy", "socks5://127.0.0.1:9", "http://h.test/x: InvalidSchema: Missing dependencies for SOCKS"),
        ("http_proxy", "http://", "http://h.test/x: InvalidProxyURL"),
        ("http_proxy", "http://[::1", "http://h.test/x: InvalidURL"),
        ("REQUESTS_CA_BUNDLE", "/no/such/file", "https://h.test/x: OSError: Could not find a suitable TLS CA"),
    ],
)
def test_proxies_and_certificates_that_cannot_be_used_are_one_line(tmp_path, monkeypatch, name, value, message):
    monkeypatch.setenv(name, value)
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(InputError, match=message) as error:
        fetch(message.partition(": ")[0], tmp_path / "x", attempts=1)
    assert "\n" not in str(error.value) and "written" not in str(error.value)


def test_a_place_that_cannot_be_written_is_named(tmp_path, server):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for target in (tmp_path / "file" / "x", tmp_path / "folder"):
        with pytest.raises(InputError, match=f"{tmp_path}/fil|{tmp_path}/fol") as error:
            fetch(server.address("good"), target, attempts=1)
        assert "\n" not in str(error.value) and "None" not in str(error.value)
