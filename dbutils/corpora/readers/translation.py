"""Translation into English: CODET (with its Arabic part) and the Turkic test sets of TIL-MT."""

from pathlib import PurePosixPath

from dbutils.corpora import places, store
from dbutils.corpora.examples import TranslationExample
from dbutils.corpora.formats import parallel
from dbutils.corpora.text import lines

ENGLISH = {  # folders with a human translation into English
    "Aranese": "Reference.eng",
    "Basque": "Reference.eng",
    "Bengali": "Reference.eng",
    "Farsi": "Reference.eng",
    "Kurdish": "Reference.eng",
    "Swahili": "Reference.eng",
    "Tigrinya": "Reference.eng",
    "Yoruba": "Reference.eng",
}
STANDARD = {  # folders with the same sentences in the standard variety
    "Arabic": "Standard.arb",
    "Basque": "Standard.eus",
    "French": "Standard.fra",
    "German": "Standard.deu",
    "Greek": "Standard.ell",
    "Griko": "Standard.ita",
    "Italian": "Standard.ita",
    "Kurdish": "Standard.ckb",
    "Norwegian": "Standard.nno",
}
PAPER_STANDARD = ("Basque", "Kurdish")  # folders with both, where the paper used the standard
ALL_CITIES = "Arabic/Riyadh.arb"  # one of the 20 cities that have just the lines that all 25 have


def codet(corpus):
    """The reader of `codet` or `codet-arabic`.

    `test`: against English where a human translation exists, else against the standard variety's
    sentence (kind `standard`), which is to be translated too. `paper-test`: the paper's choice, and
    its grouping of places into regions; of the Arabic cities the lines that all of them have.
    """

    def read(task, code, split):
        paper = split.startswith("paper-")
        kept = _lines_of_all(corpus) if paper and corpus == "codet-arabic" else None
        for place in places.of(corpus, code, paper):
            reference, kind = _reference(place, paper)
            source, reference = store.find(corpus, place.path), store.find(corpus, reference)
            for line, text, translation in parallel.aligned(source, reference):
                if kept is not None and line not in kept:
                    continue
                yield TranslationExample(f"{place.name}:{line}", text, translation, line, kind)

    return read


def kind(corpus, code, split):
    """What the references of a code are, `english` or `standard` ("" if it has no file); nothing is read."""
    if corpus == "til-mt":
        return "english"
    paper = split.startswith("paper-")
    return next((_reference(place, paper)[1] for place in places.of(corpus, code, paper)), "")


def _lines_of_all(corpus):
    return {number for number, text in lines(store.find(corpus, ALL_CITIES)) if text.strip()}


def _reference(place, paper):
    path = PurePosixPath(place.path)
    folder = path.parent.name
    if folder == "Swiss_German":
        return str(path.with_name(f"{place.name}_standard{path.suffix}")), "standard"
    if folder in ENGLISH and not (paper and folder in PAPER_STANDARD):
        return f"{folder}/{ENGLISH[folder]}", "english"
    return f"{folder}/{STANDARD[folder]}", "standard"


def til_mt(task, code, split):
    """News sentences of one Turkic language with their English source."""
    path = f"xwmt/test/{code}-en/{code}-en"
    source, reference = store.find("til-mt", f"{path}.{code}"), store.find("til-mt", f"{path}.en")
    for line, text, translation in parallel.aligned(source, reference):
        yield TranslationExample(str(line), text, translation, line, "english")
