"""Simple models learn every task of the sandbox well above chance, and score lower the further they go.

The models are linear, on character n-grams or on the words around; each is fitted in about a second.
`scores(task, train, tests)` is what the tests compare; run the file as a script for the whole table.
"""

import re
from collections import Counter
from functools import cache

import pytest

from dbutils import sandbox
from dbutils.sandbox import codes, distance, examples

CHAIN = ("tal", "tal-low", "tal-isle")
# What a model gets that knows nothing but the commonest label (or tag, or word, or guesses a choice).
CHANCE = {"dep": 25, "pos": 25, "ner": 5, "sa": 41, "tc": 19, "nli": 38, "mrc": 25, "eqa": 5, "mt": 20}


def grams(texts):
    """A pipeline step: tf-idf of character 1- to 4-grams of what `texts` takes from an example."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), sublinear_tf=True, preprocessor=texts)


def named(features=lambda item: item):
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(analyzer=features, use_idf=False, norm=None)


def fitted(step, items, labels):
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    return make_pipeline(step, LinearSVC(C=0.3)).fit(items, labels)


def percent(right):
    right = list(right)
    return 100 * sum(right) / len(right)


def classify(train, tests):
    from sklearn.pipeline import make_union

    if hasattr(train[0], "text"):
        step = grams(lambda e: e.text)
    else:
        step = make_union(grams(lambda e: e.hypothesis), grams(lambda e: e.premise))
    model = fitted(step, train, [e.label for e in train])
    return [percent(p == e.label for p, e in zip(model.predict(t), t, strict=True)) for t in tests]


def around(tokens, n):
    """What can be seen of a token and its neighbours: words, endings, capitals."""
    for shift in (-2, -1, 0, 1, 2):
        word = tokens[n + shift] if 0 <= n + shift < len(tokens) else "|"
        yield f"{shift}w{word.lower()}"
        yield f"{shift}e{word[-2:]}"
        yield f"{shift}c{word[:1].isupper()}"


def tag(train, tests, gold, score):
    def seen(e):
        return [list(around(e.tokens, n)) for n in range(len(e.tokens))]

    model = fitted(named(), [f for e in train for f in seen(e)], [g for e in train for g in gold(e)])
    return [score([gold(e) for e in t], [list(model.predict(seen(e))) for e in t]) for t in tests]


def accuracy(gold, said):
    return percent(a == b for g, s in zip(gold, said, strict=True) for a, b in zip(g, s, strict=True))


def entity_f1(gold, said):
    from seqeval.metrics import f1_score

    return 100 * f1_score([list(g) for g in gold], said, zero_division=0)


def arc(e):
    """Each word's head as its distance, the root as 0."""
    return [head and max(-9, min(9, head - n)) for n, head in enumerate(e.heads, 1)]


def best_sentence(e):
    asked = set(re.findall(r"\w+", e.question.lower()))
    return max(e.passage.rstrip(".").split(". "), key=lambda s: len(asked & set(re.findall(r"\w+", s.lower()))))


def choose(train, tests):
    def seen(e, choice):
        kind = choice.split()[-1][-1] + choice.split()[0][:1]
        told = choice.lower() in best_sentence(e).lower()
        return [f"told{told}", *(f"{q}|{kind}" for q in e.question.lower().rstrip("?").split())]

    pairs = [(e, n) for e in train for n in range(4)]
    model = fitted(named(), [seen(e, e.choices[n]) for e, n in pairs], [n == e.answer for e, n in pairs])

    def right(e):
        marks = list(model.decision_function([seen(e, choice) for choice in e.choices]))
        return marks.index(max(marks)) == e.answer

    return [percent(map(right, t)) for t in tests]


def find(train, tests):
    def spans(e):
        tokens = best_sentence(e).split()
        for start in range(len(tokens)):
            for end in range(start + 1, min(start + 7, len(tokens) + 1)):
                ends = (tokens[start - 1] if start else "|", tokens[end] if end < len(tokens) else "|")
                kinds = (tokens[end - 1][-1], tokens[start].lower(), ends[0].lower(), ends[1][-1:])
                shared = sum(t.lower() in e.question.lower() for t in tokens[start:end])
                seen = [
                    f"{q}|{k}{kind}" for q in e.question.lower().rstrip("?").split() for k, kind in enumerate(kinds)
                ]
                yield " ".join(tokens[start:end]), [*seen, f"shared{shared}", f"long{end - start}"]

    rows = [(e, span, seen) for e in train for span, seen in spans(e)]
    model = fitted(named(), [seen for _, _, seen in rows], [span == e.answers[0] for e, span, _ in rows])

    def right(e):
        options = list(spans(e))
        marks = list(model.decision_function([seen for _, seen in options]))
        return options[marks.index(max(marks))][0] == e.answers[0]

    return [percent(map(right, t)) for t in tests]


def translate(train, tests):
    """Word by word, each by the English word that goes best with it; share of words right."""
    pairs = [(set(e.source.lower().strip(".").split()), set(e.reference.lower().strip(".").split())) for e in train]
    here, there = (Counter(w for pair in pairs for w in pair[side]) for side in (0, 1))
    both = Counter((a, b) for one, other in pairs for a in one for b in other)
    best = {}
    for (a, b), n in sorted(both.items()):
        best[a] = max(best.get(a, (0, "")), (2 * n / (here[a] + there[b]), b))
    common = [w for w, _ in there.most_common(3)]

    def f1(e):
        said = [best[w][1] if w in best else common[0] for w in e.source.lower().strip(".").split()]
        wanted = e.reference.lower().strip(".").split()
        same = sum((Counter(said) & Counter(wanted)).values())
        return 200 * same / (len(said) + len(wanted))

    return [sum(map(f1, t)) / len(t) for t in tests]


@cache
def scores(task, train, *tests, size=250):
    """Scores in per cent on the test splits of the codes `tests`, trained on `size` examples of `train`."""
    model = {
        "dep": lambda a, b: tag(a, b, arc, accuracy),
        "pos": lambda a, b: tag(a, b, lambda e: e.tags, accuracy),
        "ner": lambda a, b: tag(a, b, lambda e: e.tags, entity_f1),
        "mrc": choose,
        "eqa": find,
        "mt": translate,
    }.get(task, classify)
    learnt = list(examples(task, train, "train", size=size))
    return model(learnt, [list(examples(task, code, "test")) for code in tests])


@pytest.mark.parametrize("task", CHANCE)
def test_a_simple_model_learns_the_task_and_loses_with_distance(task):
    chain = scores(task, "tal", *CHAIN, size=400 if task == "nli" else 250)  # nli needs more to learn
    assert chain[0] > CHANCE[task] + 15
    assert chain[0] >= chain[1] >= chain[2] and chain[0] > chain[2] + 3, chain


# Not nli, whose score is near chance far away, nor mrc and eqa: matching the words of question and
# passage works in any script, as it does in real corpora.
@pytest.mark.parametrize("task", ["sa", "tc", "pos", "ner", "dep", "mt"])
def test_another_script_is_out_of_reach_of_the_source_but_not_of_its_own_cluster(task):
    (far,), (near,) = scores(task, "tal", "orv-west"), scores(task, "orv", "orv-west")
    assert near > far + 20


@pytest.mark.parametrize("cluster", sandbox.CLUSTERS)
def test_varieties_of_a_cluster_can_be_told_apart(cluster):
    (score,) = scores("did", cluster, cluster, size=100)
    assert score > 200 / len(sandbox.labels("did", cluster))


if __name__ == "__main__":
    for source in ("tal", "mir-port", "orv"):
        print(f"trained on {source}".ljust(18) + "".join(f"{code:>10}" for code in codes("dep")))
        print("distance".ljust(18) + "".join(f"{distance(code, source):10.2f}" for code in codes("dep")))
        for task in CHANCE:
            found = scores(task, source, *codes(task), size=None)
            print(task.ljust(18) + "".join(f"{score:10.0f}" for score in found))
    for cluster in sandbox.CLUSTERS:
        print("did", cluster, f"{scores('did', cluster, cluster, size=None)[0]:.0f}")
