"""Every metric against the official implementation, on thousands of random cases."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from dbutils.metrics import attachment, chunks, labels, spans, translation

CASES = 2000


def gold(**fields):
    return SimpleNamespace(**fields)


def random_tags(draw, size):
    types = ("LOC", "PER", "ORG")
    return [draw.choice(("O", "O", f"B-{draw.choice(types)}", f"I-{draw.choice(types)}")) for _ in range(size)]


@pytest.mark.parametrize("strict", [False, True])
def test_entity_f1_is_seqevals(strict):
    from seqeval.metrics import f1_score
    from seqeval.scheme import IOB2

    draw = random.Random(3)
    metric = chunks.STRICT_F1 if strict else chunks.CHUNK_F1
    for _ in range(CASES // 4):
        sizes = [draw.randint(1, 9) for _ in range(draw.randint(1, 4))]
        golds = [random_tags(draw, n) for n in sizes]
        guesses = [[t if draw.random() < 0.6 else draw.choice(random_tags(draw, 3)) for t in tags] for tags in golds]
        official = f1_score(golds, guesses, zero_division=0, **(dict(mode="strict", scheme=IOB2) if strict else {}))
        ours = metric.score([gold(tags=t, scored=(True,) * len(t)) for t in golds], guesses)
        assert ours == pytest.approx(100 * official, abs=1e-9)


UPOS = (
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
    "_",
)


def test_the_papers_tagging_f1_is_seqeval_on_bare_tags():
    import warnings

    from seqeval.metrics import f1_score

    draw = random.Random(4)
    for _ in range(CASES // 4):
        # no sentence starts with X or _, see dbutils.metrics.chunks
        golds = [[draw.choice(UPOS[:-2]), *(draw.choice(UPOS) for _ in range(draw.randint(0, 8)))] for _ in range(3)]
        guesses = [
            [t if draw.random() < 0.7 else draw.choice(UPOS[:-2] if i == 0 else UPOS) for i, t in enumerate(tags)]
            for tags in golds
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            official = f1_score(golds, guesses, zero_division=0)
        assert chunks.CHUNK_F1.score([gold(tags=t, scored=(True,) * len(t)) for t in golds], guesses) == pytest.approx(
            100 * official, abs=1e-9
        )


def test_classification_is_scikit_learns():
    from sklearn.metrics import accuracy_score, f1_score

    draw = random.Random(5)
    names = ["a", "b", "c", "nan", "no"]
    for _ in range(CASES // 4):
        n = draw.randint(1, 30)
        true = [draw.choice(names[:4]) for _ in range(n)]
        guess = [draw.choice(names) for _ in range(n)]
        golds = [gold(label=t) for t in true]
        assert labels.accuracy(names).score(golds, guess) == pytest.approx(100 * accuracy_score(true, guess))
        official = f1_score(true, guess, labels=names, average="macro", zero_division=0)
        assert labels.macro_f1(names).score(golds, guess) == pytest.approx(100 * official)


def test_tag_scores_are_scikit_learns():
    from sklearn.metrics import accuracy_score, f1_score

    draw = random.Random(6)
    for _ in range(CASES // 10):
        golds = [[draw.choice(UPOS) for _ in range(draw.randint(1, 9))] for _ in range(4)]
        guesses = [[t if draw.random() < 0.7 else draw.choice(UPOS) for t in tags] for tags in golds]
        records = [gold(tags=t, scored=(True,) * len(t)) for t in golds]
        true, guess = sum(golds, []), sum(guesses, [])
        assert labels.word_accuracy(UPOS).score(records, guesses) == pytest.approx(100 * accuracy_score(true, guess))
        official = f1_score(true, guess, average="macro", zero_division=0)
        assert labels.word_macro_f1(UPOS).score(records, guesses) == pytest.approx(100 * official)


def test_span_scores_are_squads():
    from torchmetrics.functional.text import squad

    draw = random.Random(7)
    words = ["the", "a", "House", "house", "of", "An", "1,000", "U.S.", "—", "مالك", "বাংলা", "서울", "x-y", "'tis", ""]
    golds, guesses, predictions, targets = [], [], [], []
    for i in range(CASES):
        answers = [" ".join(draw.choices(words, k=draw.randint(1, 4))) for _ in range(draw.randint(1, 3))]
        guess = draw.choice(answers) if draw.random() < 0.3 else " ".join(draw.choices(words, k=draw.randint(0, 4)))
        golds.append(gold(answers=answers))
        guesses.append(guess)
        predictions.append({"prediction_text": guess, "id": str(i)})
        targets.append({"answers": {"answer_start": [0] * len(answers), "text": answers}, "id": str(i)})
    for start in range(0, CASES, 100):
        part = slice(start, start + 100)
        official = squad(predictions[part], targets[part])
        assert spans.SPAN_F1.score(golds[part], guesses[part]) == pytest.approx(float(official["f1"]), abs=1e-4)
        assert spans.EXACT.score(golds[part], guesses[part]) == pytest.approx(float(official["exact_match"]), abs=1e-4)


def random_tree(draw, size):
    """A random tree: heads 1-based, one root, no cycle."""
    order = list(range(1, size + 1))
    draw.shuffle(order)
    heads = [0] * size
    for i, word in enumerate(order[1:], 1):
        heads[word - 1] = order[draw.randrange(i)]
    return heads


def conllu(trees):
    lines = []
    for heads, relations in trees:
        for i, (head, relation) in enumerate(zip(heads, relations), 1):
            lines.append(f"{i}\tw{i}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


def test_attachment_is_the_conll_2018_scorers():
    import io

    from udtools.udeval import evaluate, load_conllu

    draw = random.Random(8)
    names = ["nsubj", "nsubj:pass", "obj", "obl", "obl:arg", "punct", "aux"]
    for _ in range(CASES // 20):
        true, guess = [], []
        for _ in range(5):
            n = draw.randint(1, 9)
            heads, other = random_tree(draw, n), random_tree(draw, n)
            label = lambda h: ["root" if x == 0 else draw.choice(names) for x in h]  # noqa: E731
            relations = label(heads)
            keep = draw.random() < 0.5
            true.append((heads, relations))
            guess.append((heads, label(heads)) if keep else (other, label(other)))
        official = evaluate(
            load_conllu(io.StringIO(conllu(true)), "gold", {}), load_conllu(io.StringIO(conllu(guess)), "system", {})
        )
        records = [gold(heads=h, relations=r, scored=(True,) * len(h)) for h, r in true]
        assert attachment.UAS.score(records, guess) == pytest.approx(100 * official["UAS"].f1)
        assert attachment.LAS.score(records, guess) == pytest.approx(100 * official["LAS"].f1)


SENTENCES = [
    "The cat sat on the mat .",
    "A dog",
    "the cat sat on a mat today .",
    "Two dogs ran home quickly , he said .",
    "Yes",
    "1,000 people came .",
    "",
    "the the the",
    "A cat sat .",
    "He said that the cat sat on the mat .",
]


def test_bleu_and_chrf_are_sacrebleus():
    import sacrebleu

    draw = random.Random(9)
    for _ in range(CASES // 10):
        n = draw.randint(1, 6)
        references = [draw.choice([s for s in SENTENCES if s]) for _ in range(n)]
        guesses = [draw.choice(SENTENCES) for _ in range(n)]
        records = [gold(reference=r) for r in references]
        assert translation.BLEU.score(records, guesses) == pytest.approx(
            sacrebleu.corpus_bleu(guesses, [references]).score, abs=1e-9
        )
        assert translation.CHRF.score(records, guesses) == pytest.approx(
            sacrebleu.corpus_chrf(guesses, [references], word_order=2).score, abs=1e-9
        )
        kept = [(g, r) for g, r in zip(guesses, references) if g]
        mean = np.mean([sacrebleu.corpus_bleu([g], [[r]]).score for g, r in kept]) if kept else 0
        assert translation.SENTENCE_BLEU.score(records, guesses) == pytest.approx(mean, abs=1e-9)


def test_signatures_are_sacrebleus_own():
    from importlib.metadata import version

    assert translation.signatures() == {
        "bleu": f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{version('sacrebleu')}",
        "bleu_corpus": f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{version('sacrebleu')}",
        "chrf": f"nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:{version('sacrebleu')}",
    }
