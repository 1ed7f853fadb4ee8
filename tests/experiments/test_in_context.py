"""In-context learning as runs: who may do it, what is recorded, what a kill loses."""

import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from dbutils.errors import InputError
from dbutils.experiments import matrix, store
from dbutils.experiments.request import Request, asked_rows, make, plan_table
from dbutils.experiments.scoring import unanswered
from dbutils.models.endpoint import KEY, URL, Endpoint

ROOT = Path(__file__).parents[2]
SECRET = "sk-very-secret-0123"


@pytest.fixture
def server(monkeypatch):
    """server.answer(prompt) -> text is what the endpoint's model says; server.prompts are those that were asked."""

    class Server:
        prompts = []

        @staticmethod
        def answer(prompt):
            return "neutral"

    def ask(self, prompt, max_new_tokens):
        Server.prompts.append(prompt)
        return Server.answer(prompt)

    monkeypatch.setattr(Endpoint, "ask", ask)
    monkeypatch.setenv(URL, "http://127.0.0.1:9/v1/")
    monkeypatch.setenv(KEY, SECRET)
    Server.prompts.clear()
    return Server


def request(tmp_path, **changes):
    base = dict(
        task="sa",
        model="endpoint:m",
        setting="in_context",
        varieties=("tal", "mir"),
        limit=20,
        runs=str(tmp_path / "runs"),
    )
    return Request(**{**base, **changes})


def test_an_endpoint_s_run_is_recorded_without_its_key(server, tmp_path):
    asked = request(tmp_path)
    (folder,) = make(asked, lambda text: None)
    manifest = store.read_manifest(folder)
    assert (
        manifest["identity"]["hyper"]["base_url"] == "http://127.0.0.1:9/v1"
        and manifest["identity"]["hyper"]["shots"] == 4
    )
    assert manifest["identity"]["train"]["parts"][0]["code"] == "tal" and manifest["model"] == "m"
    assert "--set base_url=http://127.0.0.1:9/v1" in manifest["command"]
    assert len(manifest["fit"]["notes"]["exemplars"]) == 4
    assert not any(SECRET.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    rows = asked_rows(asked, [folder])
    assert set(rows.setting) == {"in_context"} and set(rows.train) == {"tal"} and set(rows.n) == {20}


def test_a_run_that_failed_asks_for_nothing_twice(server, tmp_path):
    def fails(prompt):
        if len(server.prompts) == 8:
            raise InputError("the server is gone")
        return "neutral"

    server.answer = staticmethod(fails)
    asked = request(tmp_path, varieties=("tal",))
    with pytest.raises(InputError, match="gone"):
        make(asked, lambda text: None)
    server.answer = staticmethod(lambda prompt: "neutral")
    (folder,) = make(asked, lambda text: None)
    prompts = server.prompts
    assert len(set(prompts)) == 20 and len(prompts) <= 20 + 4  # the requests that ran when it failed
    notes = store.read_manifest(folder)["tests"]["tal@test"]["notes"]
    assert notes["from memory"] >= 4


def test_unparsable_answers_stand_in_the_manifest_and_count_as_wrong(server, tmp_path):
    server.answer = staticmethod(lambda prompt: "who knows")
    said = []
    (folder,) = make(request(tmp_path, varieties=("tal",)), said.append)
    entry = store.read_manifest(folder)["tests"]["tal@test"]
    assert entry["notes"]["no answer"] == 20 and {row["value"] for row in entry["rows"]} == {0.0}
    assert any("(20 examples; 20 answers are none, so it may say more of their form" in line for line in said)


def test_a_fifth_of_answers_that_are_none_needs_no_word():
    assert unanswered({"no answer": 4}, 20) == unanswered({}, 20) == unanswered({}, 0) == ""
    assert unanswered({"no answer": 5}, 20).startswith("; 5 answers are none")
    assert "raise --set max_new_tokens" in unanswered({"empty": 5, "nothing after the thoughts": 2}, 20)
    assert "thoughts" not in unanswered({"empty": 5, "thoughts left out": 2}, 20)


def test_a_reasoning_model_s_thoughts_are_left_out_and_half_characters_replaced(server, tmp_path):
    server.answer = staticmethod(lambda prompt: "<think>positive? \ud83d negative?</think>\n\nneutral")
    asked = request(tmp_path, varieties=("tal",))
    (folder,) = make(asked, lambda text: None)
    notes = store.read_manifest(folder)["tests"]["tal@test"]["notes"]
    assert notes["thoughts left out"] == 20 and notes["characters replaced"] >= 20 and "no answer" not in notes
    server.answer = staticmethod(lambda prompt: "<think>positive? negative? and so on")
    asked = request(tmp_path, varieties=("mir",), runs=str(tmp_path / "other"))
    (folder,) = make(asked, lambda text: None)
    notes = store.read_manifest(folder)["tests"]["mir@test"]["notes"]
    assert notes["nothing after the thoughts"] == notes["no answer"] == 20


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"model": "tiny"}, "model 'tiny' .encoder. cannot do setting 'in_context', which takes: causal, endpoint"),
        ({"model": "majority"}, "model 'majority' .majority. cannot do setting 'in_context'"),
        ({"setting": "zero_shot"}, "model 'm' .endpoint. cannot do setting 'zero_shot', .*give --setting in_context"),
        ({"task": "dep", "setting": "zero_shot"}, "model 'm' .endpoint. cannot do task 'dep'"),
        ({"set": {"shot": "3"}}, "unknown hyperparameter 'shot': did you mean 'shots'"),
        ({"set": {"answer": "guess"}}, "unknown value of answer 'guess'"),
        ({"set": {"base_url": "http://u:p@h/v1"}}, "would be recorded"),
    ],
)
def test_what_cannot_be_is_one_line_before_any_work(server, tmp_path, changes, says):
    with pytest.raises(InputError, match=says) as error:
        make(request(tmp_path, **changes), lambda text: None)
    assert "\n" not in str(error.value) and not (tmp_path / "runs").exists()


def test_an_endpoint_without_an_address_is_one_line(server, tmp_path, monkeypatch):
    monkeypatch.delenv(URL)
    with pytest.raises(InputError, match=f"set {URL}, or --set base_url"):
        make(request(tmp_path), lambda text: None)


def test_all_settings_of_a_matrix_are_those_that_the_kind_of_model_can_do(tmp_path):
    def settings(model):
        path = tmp_path / "m.yaml"
        path.write_text(
            json.dumps({"profile": "sandbox", "experiments": [{"task": "tc", "model": model, "setting": "all"}]})
        )
        return {job.words[job.words.index("--setting") + 1] for job in matrix.jobs(path).values()}

    assert settings("tiny-lm") == {"in_context"}
    assert settings("tiny") == {"zero_shot", "in_variety", "in_cluster", "combined"}


class Slow(BaseHTTPRequestHandler):
    """A server whose model calls everything neutral, after a moment."""

    asked = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(0.1)
        content = json.dumps({"model": "m", "choices": [{"message": {"content": "neutral"}}]}).encode()
        self.asked.append(body["messages"][0]["content"])
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def test_killing_a_run_at_any_moment_loses_at_most_the_requests_that_were_on_their_way(tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        command = [sys.executable, "-m", "dbutils", "run", "sa", "--model", "endpoint:m", "--setting", "in_context"]
        command += ["--variety", "tal", "--limit", "40", "--runs", str(tmp_path / "runs")]
        env = {**os.environ, URL: f"http://127.0.0.1:{server.server_port}/v1", "DBUTILS_ENDPOINT_PARALLEL": "2"}
        first = subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(Slow.asked) < 10 and first.poll() is None:
            time.sleep(0.01)
        first.kill()
        first.wait()
        before = len(Slow.asked)
        assert 10 <= before < 40
        again = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
        server.shutdown()
    assert len(set(Slow.asked)) == 40 and len(Slow.asked) <= 40 + 2 * 2
    assert again.stdout.splitlines()[1].startswith("sa,sandbox,m,in_context,tal,")
    assert not list(tmp_path.rglob("memory-*"))


def test_a_plan_counts_nothing_to_train_where_nothing_is_trained(server, tmp_path):
    (row,), _ = plan_table(request(tmp_path, limit=0))
    assert (row["train"], row["train_examples"], row["epochs"], row["words_to_train"], row["tests"]) == (
        "tal",
        400,
        0,
        0,
        2,
    )
    (row,), _ = plan_table(request(tmp_path, model="tiny-lm"))
    assert row["epochs"] == 15 and row["words_to_train"] == 15 * row["train_words"]


def test_a_matrix_writes_no_secret_of_an_address_into_its_commands(tmp_path, monkeypatch):
    path = tmp_path / "m.yaml"
    path.write_text(
        json.dumps(
            {"profile": "sandbox", "experiments": [{"task": "tc", "model": "endpoint:m", "setting": "in_context"}]}
        )
    )
    monkeypatch.setenv(URL, "https://host/v1/")
    (job,) = matrix.jobs(path).values()
    assert "base_url=https://host/v1" in job.words
    monkeypatch.setenv(URL, f"https://me:{SECRET}@host/v1")
    with pytest.raises(InputError, match="would be recorded") as error:
        matrix.jobs(path)
    assert SECRET not in str(error.value)
