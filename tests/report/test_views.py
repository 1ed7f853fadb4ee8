"""What notebooks show: literal sentences and cells from the published scores, and answers where something is lacking."""

import json
import re
from dataclasses import dataclass

import pandas as pd
import pytest

from dbutils import names, scores
from dbutils.errors import InputError
from dbutils.report import views
from dbutils.report.views import overview
from dbutils.report.views.reading import interval
from dbutils.report.views.view import bullets, listing, number, paragraph


@dataclass(frozen=True)
class Run:
    """The parameters of a notebook that views look at."""

    scores: str = "upstream"
    model: str = ""
    settings: tuple = ("zero_shot",)
    varieties: tuple = ()
    profile: str = "sandbox"
    seed: int = 0
    limit: int = 0
    runs: str = "runs"


@pytest.fixture(scope="module")
def rows():
    return scores.load("upstream")


@pytest.fixture(scope="module")
def paper():
    return scores.load("paper")


def cells(view):
    """{first cell: the other cells} of a labelled table."""
    lines = [line for line in view.data["text/markdown"].splitlines() if line.startswith("| ")]
    table = [[cell.strip().replace("\\", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return {row[0]: row[1:] for row in table[2:]}


def headings(view):
    lines = [line for line in view.data["text/markdown"].splitlines() if line.startswith("| ")]
    return [cell.strip() for cell in lines[0].split("|")[1:-1]]


def mine(rows, task, model="my-model", factor=0.5):
    """Score rows of a run of one's own, made from mBERT's of a task."""
    own = rows[(rows.task == task) & (rows.model == "mbert") & (rows.variety != "")].copy()
    own["value"], own["model"], own["origin"], own["run"] = own.value * factor, model, "run", "my-run-1a2b"
    return own


# ---- the parts that views are made of


def test_a_listing_stays_text_whatever_a_cell_holds():
    view = listing(["a", "b"], [["x|y", "<b>"], ["*", 3]], "A $caption$", "tab-x", ["b"])
    assert view.data["text/markdown"].splitlines()[:7] == [
        ":::{table} A \\$caption\\$",
        ":name: tab-x",
        ":class: sortable",
        ":align: left",
        "",
        "| a | b |",
        "| :--- | ---: |",
    ]
    assert cells(view) == {"x|y": ["<b>"], "*": ["3"]}
    assert "&lt;b&gt;" in view.data["text/html"] and "<b>" not in view.data["text/html"]
    assert view.text.splitlines() == ["A $caption$", "a    b", "x|y  <b>", "*    3"]


def test_words_and_numbers():
    assert paragraph("A.", "", "B.").text == "A. B."
    assert bullets(["a", "b"]).text == "- a\n- b"
    assert (names.counted(1, "row"), names.counted(6821, "row"), names.counted(2, "variety", "varieties")) == (
        "1 row",
        "6,821 rows",
        "2 varieties",
    )
    assert (names.listed([]), names.listed("a"), names.listed("ab"), names.listed("abc")) == (
        "none",
        "a",
        "a and b",
        "a, b and c",
    )
    assert (number(0.25), number(-0.04), number(float("nan")), number(12.345, 2)) == ("0.2", "0.0", "", "12.34")


def test_jupyter_is_handed_the_media_types():
    view = paragraph("A.")
    assert view._repr_mimebundle_() == {"text/markdown": "A.", "text/plain": "A."}


# ---- the paper's tables and figures


def test_a_table_of_the_paper_has_its_label_and_marks(rows):
    text = views.table(10, rows).data["text/markdown"]
    assert (
        ":name: tab-10" in text
        and "| albanian | [albanian](#cluster-albanian) | UD\\_Albanian-TSA | 81.78 | 83.08 |" in text
    )


def test_a_table_that_the_scores_cannot_fill_keeps_its_label_and_says_why(rows):
    view = views.table(10, rows[rows.task == "mrc"])
    assert ":name: tab-10\n" in view.data["text/markdown"]
    assert "table 10 needs scores of task 'dep'; these have mrc" in view.text


def test_a_figure_carries_its_picture_for_the_book_and_for_an_editor(rows):
    view = views.figure("8c", rows)
    assert view.data["text/markdown"].startswith(":::{figure} figures/fig-8c.svg\n:name: fig-8c\n:alt: ")
    assert view.data["text/markdown"].count("\n:alt: ") == 1
    assert view.data["image/svg+xml"].lstrip().startswith("<?xml") and "</svg>" in view.data["image/svg+xml"]
    assert (
        view.data["text/html"].startswith('<figure><img alt="')
        and "data:image/svg+xml;base64," in view.data["text/html"]
    )


def test_a_figure_that_the_scores_cannot_fill_keeps_its_label_and_says_why(paper):
    view = views.figure("4b", paper)
    assert ":name: fig-4b" in view.data["text/markdown"] and "english" in view.text
    assert "no scores for this figure" in view.data["image/svg+xml"]
    assert views.interactive("4b", paper).text.startswith("No interactive figure: ")


def test_an_interactive_figure_is_data_that_no_html_can_end(rows):
    view = views.interactive("8c", rows)
    assert set(view.data) == {"application/vnd.plotly.v1+json", "text/html", "text/plain"}
    found = re.fullmatch(
        r'<div class="interactive-figure" aria-label="[^"]+"><script type="application/json">([^<]*)</script></div>',
        view.data["text/html"],
    )
    assert json.loads(found[1]) == view.data["application/vnd.plotly.v1+json"]  # what JupyterLab draws
    bars = [trace for trace in json.loads(found[1])["data"] if trace["type"] == "bar"]
    assert sum(len(trace["y"]) for trace in bars) == 11


def test_an_unknown_figure_is_a_fault_of_the_notebook(rows):
    with pytest.raises(InputError, match="12"):
        views.figure("12", rows)


def test_the_overview_of_utilities_names_the_cluster_that_is_furthest_apart(rows):
    found = overview.utilities(rows)
    assert list(found) == ["dep", "pos", "ner", "did", "sa", "tc", "nli", "mrc", "eqa", "mt"]
    far = overview.furthest(found["dep"])
    assert (far.cluster, number(far.linguistic_utility), number(far.demographic_utility)) == (
        "high german",
        "56.6",
        "76.5",
    )
    assert "DEP parsing: 9 of 11 points above the line, furthest from it high german (56.6 and 76.5)" in overview.alt(
        rows
    )
    assert len([axis for axis in overview.draw(rows).axes if axis.get_visible()]) == 10
    assert views.utility_figure(rows[rows.task == "x"]).text.startswith("This figure cannot be drawn")


# ---- data, best scores, gaps, utilities


def test_size_of_a_task(rows):
    assert views.size("tc", rows).text.startswith(
        "38 varieties in 15 clusters have scores, on 1 corpus (`sib-200`). 17 of the varieties were"
    )
    assert views.size("tc", rows).text.endswith("Every test set has 204 examples.")
    assert (
        "The smallest test set has 0 examples (jamaican creole english), the largest 10,000"
        in views.size("ner", rows).text
    )
    assert views.size("dep", rows).text.endswith("The score rows do not say how many examples the test sets have.")
    assert "mBERT" not in views.size("mt", rows).text
    assert views.size("dep", rows[rows.task == "mrc"]).text == "These scores hold none of this task."


def test_printed_support_of_dialect_identification_is_no_test_size(paper):
    assert views.size("did", paper).text.endswith("The score rows do not say how many examples the test sets have.")


def test_clusters_of_a_task(rows):
    view = views.clusters("ner", rows)
    assert headings(view) == ["cluster", "varieties", "seen", "examples", "scripts", "representative", "corpora"]
    assert cells(view)["anglic"] == ["4", "1", "0 to 10,000", "Latin", "english", "wikiann, wikiann_og"]
    assert headings(views.clusters("mt", rows)) == ["cluster", "varieties", "scripts", "representative", "corpora"]
    assert cells(views.clusters("mt", rows))["farsic"][2] == "none"


def test_best_scores_in_a_paragraph(rows):
    text = views.best("dep", rows).text
    assert (
        "Over 40 varieties it is 64.3 on average: highest for brazilian portuguese (94.4), lowest for mbyá guaraní (a:brazil) (9.0)."
        in text
    )
    assert "mBERT (23) and XLM-R (17)" in text
    assert views.best("mt-region", rows).text.startswith(
        "The best score of a variety is taken over BLEU of both NLLB models. Over 41 "
    )
    assert "hold none of this task" in views.best("dep", rows[rows.task == "mrc"]).text


def test_gaps_of_clusters(rows):
    view = views.gap_clusters("dep", rows, Run(settings=("zero_shot", "in_variety")))
    assert headings(view) == [
        "cluster",
        "from English, zero-shot",
        "from representative, zero-shot",
        "from representative, in-variety",
        "varieties, zero-shot",
        "varieties, in-variety",
    ]
    assert cells(view)["arabic"] == ["50.8", "17.2", "93.8 {flag}`× (never learnt)`", "3", "2"]
    assert cells(view)["sabellic"] == ["63.7", "", "", "1", ""]
    assert cells(view)["mean of the clusters"] == ["46.5", "23.8", "26.4", "", ""]


def test_gaps_of_chosen_varieties(rows):
    view = views.gap_varieties("dep", rows, Run(model="xlmr", varieties=("gheg albanian", "UD_Albanian-TSA")))
    assert cells(view) == {
        "albanian": ["albanian", "UD_Albanian-TSA", "83.08", "8.8", "0.0"],
        "gheg albanian": ["albanian", "UD_Gheg-GPS", "43.50", "52.2", "47.6"],
    }
    none = views.gap_varieties("dep", rows, Run(varieties=("sakha",)))
    assert none.text == "None of the chosen varieties has a gap in this task."


def test_gaps_say_what_the_scores_lack(rows, paper):
    lacking = views.gap_clusters("tc", paper, Run()).text
    assert "Left out: the gap from English, which has no zero-shot score in this task." in lacking
    assert cells(views.gap_clusters("tc", paper, Run()))["kurdish"][0] == "60.6"
    two = views.gap_clusters("mt-region", rows, Run(settings=("zero_shot", "pseudo_reference"))).text
    assert "Left out: no scores of model 'nllb-600m' in setting 'zero_shot' for task 'mt-region'." in two
    assert views.gap_clusters("dep", rows, Run(model="nllb-600m")).text.startswith(
        "No gap can be shown: no scores of model 'nllb-600m'"
    )
    assert (
        views.gap_clusters("dep", rows[rows.task == "mrc"], Run()).text
        == "No gap can be shown: these scores hold none of this task."
    )


def test_gaps_of_a_model_of_ones_own(rows):
    own = mine(rows, "dep")
    view = views.gap_clusters("dep", own, Run())
    assert "my-model" in view.text and cells(view)["arabic"][:2] == ["50.8", "17.2"]
    assert cells(views.sources(own, "dep")) == {
        "my-run-1a2b": ["a run", f"{len(own):,}", "my-model", "singlish, twitteraae, ud"]
    }


def test_gaps_of_all_tasks(rows):
    view = views.gap_overview_clusters(rows, Run())
    assert headings(view) == ["cluster", "DEP parsing", "POS tagging", "NER", "TC", "NLI", "EQA", "MT, dialects"]
    assert cells(view)["kurdish"] == ["", "", "78.2", "60.6", "-10.2", "", ""]
    chosen = views.gap_overview_varieties(rows, Run(varieties=("jamaican creole english",)))
    assert cells(chosen) == {"jamaican creole english": ["anglic", "", "", "100.0", "", "", "", ""]}


def test_conventions_of_table_4(rows):
    view = views.gap_conventions(rows)
    lines = [line for line in view.text.splitlines() if line.startswith("NER")]
    assert [line.split()[1:] for line in lines] == [
        ["G_eng(eng,C)", "29.3", "27", "29.7", "31.7", "21", "31.7"],
        ["G_eng(rep,C)", "14.3", "26", "22.7", "22.3", "21", "22.3"],
        ["G_rep(rep,C)", "-9.7", "22", "-27.4", "-28.6", "21", "-28.6"],
    ]


def test_special_cases_of_gaps(rows):
    found = cells(views.gap_special_cases(rows, Run(model="xlmr", settings=("in_cluster",))))
    assert found["the reference scores 0"][1:] == ["8", "central kurdish (NER); kurdish (NER); lower sorbian (NER) ..."]
    assert found["the test set is empty"][1:] == ["1", "jamaican creole english (NER)"]
    assert found["reference and variety were trained on different data"][1] == "27"


def test_utilities(rows):
    assert views.utility("dep", rows).text == (
        "The linguistic utility of a cluster lies between 17.2 (tupi-guarani subgroup i.a) and 88.4 (norwegian)."
        " Weighing by speakers changes it most for high german, by 19.9 points."
        " Scores are least even inside tupi-guarani subgroup i.a, with a Gini coefficient of 0.26."
    )
    assert views.utility("sa", rows).text.startswith(
        "The linguistic utility of the one cluster, arabic, is 80.3; weighed by speakers it is 81.4."
    )
    parsing = cells(views.utility_tasks(rows))["DEP parsing"]
    assert "placeholder text" in parsing[1] and "mixed test set" in parsing[1]
    assert [cell.partition(" {flag}")[0] for cell in parsing] == [
        "40",
        "64.3",
        "87.7",
        "27",
        "mbyá guaraní (a:brazil)",
        "9.0",
        "26.1",
        "0.224",
    ]
    assert cells(views.utility_clusters("mt", rows))["farsic"][:2] == ["1", "40.5"]
    assert list(cells(views.unread_populations())) == ["vanga (a:dhaka)", "vanga (a:west bengal)", "seoul (m:spoken)"]


# ---- evidence


def test_printed_columns_are_compared_with_every_quantity():
    found = cells(views.columns(16))
    assert found["precision mBERT"] == [
        "precision of mBERT, in-cluster",
        "1 of 45",
        "recall of mBERT, in-cluster",
        "45 of 45",
    ]
    assert cells(views.columns(17))["accuracy XLM-R"][1:] == ["0 of 34", "F1 of XLM-R, zero-shot", "34 of 34"]
    assert {row[1] for row in cells(views.columns(10)).values()} == {"40 of 40", "21 of 21"}


def test_a_printed_cell_that_is_altered_no_longer_fits(monkeypatch):
    from dbutils.report.views import printed as module
    from dbutils.scores import SCORE_TABLES

    table = SCORE_TABLES[10].printed().copy()
    table.loc[table.index[0], "zeroshot_mbert"] = "11.11"
    monkeypatch.setattr(type(SCORE_TABLES[10]), "printed", lambda self: table)
    assert cells(module.columns(10))["zero-shot mBERT"][1] == "39 of 40"


def test_codes_without_a_row():
    assert list(cells(views.unlisted(12))) == ["kab", "nds-nl", "as", "bn"]
    assert cells(views.unlisted(16))["greek:cg_fb"] == ["cypriot greek (r:casual, m:written, i:fb)", "30", "2", "20.51"]
    assert views.unlisted(19).text == "Every code with results of this task has its row in Table 19."
    assert "english-total" not in views.unlisted(15).text


def test_shares_as_fractions():
    lines = views.fractions(("dep", "UD_Neapolitan-RB"), ("pos", "UD_Neapolitan-RB")).text.splitlines()[2:]
    assert [line.split()[-2] for line in lines] == ["5/11", "3/10", "1/5", "7/11", "1/2", "3/10"]


def test_models_that_fine_tuning_made_worse(rows):
    view = views.worse_when_trained("dep", rows)
    assert "9 of 40 pairs" in view.text
    assert cells(view)["singlish"] == ["XLM-R", "singlish", "68.55", "11.00", "-57.55"]
    assert "nothing can be compared" in views.worse_when_trained("nli", rows).text


def test_sources_outside_the_cluster(rows):
    view = views.foreign_sources("tc", rows)
    assert "9 of 35 varieties, 5 of them from another cluster" in view.text
    assert cells(view)["occitan"] == [
        "southwestern shifted romance",
        "oci_Latn",
        "lij_Latn",
        "outside: gallo-italian",
        "spanish",
    ]


def test_smallest_test_sets(rows, paper):
    assert list(cells(views.smallest("pos", rows)).items())[0] == (
        "continental southern italian",
        ["UD_Neapolitan-RB", "ud", "1", "30.00", "57.14"],
    )
    assert views.smallest("did", paper).text == "These scores name no test set of this task with 100 examples or fewer."


def test_accuracy_and_f1_apart(rows, paper):
    view = views.metrics_apart("sa", rows, "in_cluster")
    assert view.text.splitlines()[2].split()[-4:] == ["mBERT", "67.03", "40.00", "27.03"]
    assert "cannot be compared" in views.metrics_apart("pos", paper, "zero_shot").text


def test_scores_of_one_cluster(rows):
    assert cells(views.cluster("eqa", rows, "korean"))["seoul (m:spoken)"][0].startswith("korean--")
    assert views.cluster("eqa", rows, "saami").text == "These scores hold none of this task for the cluster saami."
    with pytest.raises(InputError, match="korean"):
        views.cluster("eqa", rows, "korea")


def test_dialect_identification():
    assert "26 of its 26 printed precisions are whole numbers of sentences out of 200" in views.halves("madar").text
    found = cells(views.test_sets())
    assert found["mandarin_simplified"] == ["dmt", "2", "2,000", "yes", "98.60", "93.10"]
    assert found["arabic"] == ["madar", "26", "5,200", "no", "56.33", "53.15"]
    assert list(cells(views.rare_labels())) == ["greek:smg_fb", "english:EN", "greek:smg_other", "greek:cg_fb"]
    assert views.labels("english").text == "The 3 labels of this set in the authors' files: `EN`, `EN-GB` and `EN-US`."


def test_the_interval_of_a_share_is_wilsons():
    low, high = interval(50.0, 100)
    assert (round(low, 2), round(high, 2)) == (40.38, 59.62)
    low, high = interval(0.0, 10)
    assert (round(low, 2), round(high, 2)) == (0.0, 27.75)


def test_reading_and_answering(rows, paper):
    assert cells(views.side_runs())["classical-middle-modern sinitic (o:simplified)"] == [
        "50.1",
        "27.2",
        "38.6",
        "22.9",
    ]
    first = views.chance(rows).text.splitlines()[2].split("  ")
    assert [part.strip() for part in first if part.strip()] == [
        "southern sotho",
        "mBERT",
        "28.6",
        "25.7",
        "31.6",
        "yes",
    ]
    assert "no interval" in views.chance(paper).text
    assert views.single_source().text.startswith(
        "The authors' files hold 960 F1 scores more, of models trained on one other language each: arabic, bengali,"
    )
    assert cells(views.sizes(rows))["swahili"] == ["2", "1,000", "472"]


def test_references_of_translation(rows):
    view = views.references(rows)
    assert cells(view)["kurdish"] == ["pseudo-reference", "2", "29.2", "22.6", "35.7"]
    assert "English, by people: 21.3 over 17 varieties" in view.text


def test_a_finding_shows_its_evidence_in_part_or_whole():
    part, whole = (
        views.finding("precision", 2).data["text/markdown"],
        views.finding("precision", 0, title=False).data["text/markdown"],
    )
    assert part.startswith("**Table 16: precision and recall have changed places")
    assert (
        "The first 2 of 45 rows. All of them: {ref}`the finding in the reproduction report <finding-precision>`."
        in part
    )
    assert "| english (a:uk) | 98.10 | 207/211 | 83.13 | 207/249 | 249 | 249 |" in part
    assert ":name:" not in part and whole.count("\n| ") == 45 + 2
    with pytest.raises(InputError, match="did you mean 'precision'"):
        views.finding("precison")


# ---- across tasks


def test_contrasts_of_varieties(rows):
    assert cells(views.seen_and_unseen(rows))["DEP parsing"] == ["83.7", "53.9", "29.8", "14", "26"]
    assert cells(views.representatives_and_others(rows))["MT"] == ["29.3", "27.8", "1.5", "11", "100"]
    assert cells(views.latin_and_others(rows))["TC"] == ["76.5", "79.9", "-3.4", "24", "14"]
    assert views.seen_and_unseen(rows[rows.task == "x"]).text == "These scores hold no task of the benchmark."


def test_scripts_of_the_extremes(rows, paper):
    assert views.latin_share(rows).text == (
        "Written in Latin script are 80.0 % of the 70 highest (printed: 77.2 %) and 48.6 % of the 70 lowest (printed: 44.2 %)."
    )
    assert views.latin_share(rows[rows.task == "mt"]).text.startswith("No shares: table 21 needs")


def test_fine_tuning_and_in_context(rows):
    assert (
        "DEP parsing  XLM-R  20         14                      -57.5            3.2          43.3"
        in views.fine_tuning(rows).text
    )
    assert "Extractive question answering  in-context  Mistral 7B  24         62.2" in views.in_context(rows).text


# ---- registry


def test_the_registry_in_sentences():
    text = views.registry_size().text
    assert text.startswith("- 281 varieties in 40 clusters; the largest cluster is arabic with 42,")
    assert text.endswith("- 4 varieties have no data in any task: libyan arabic, cypriot greek, norwegian and swahili.")


def test_names_are_parsed_or_their_fault_is_said():
    found = cells(views.parsed("italian (r:formal, m:written)", "english (a:uk"))
    assert found["italian (r:formal, m:written)"] == [
        "italian",
        "register formal, mode written",
        "italian-(a:,r:formal,m:written,o:,i:)",
    ]
    assert "closing ')' is missing" in found["english (a:uk"][2]
    looked_up = cells(views.found("hame (a:tavastian)", "egyptian arabik"))
    assert looked_up["hame (a:tavastian)"] == ["neva/häme (a:tavastian)", "hame1240"]
    assert looked_up["egyptian arabik"] == ["", "unknown variety 'egyptian arabik': did you mean 'egyptian arabic'?"]


def test_codes_of_chosen_varieties():
    assert cells(views.codes(Run()))["belebele"] == ["mrc", "11", "acm_Arab, apc_Arab, arb_Arab"]
    assert cells(views.codes(Run(varieties=("kölsch",))))["kölsch"] == ["high german", "ner", "wikiann", "ksh", "Latin"]
    assert cells(views.codes(Run(varieties=("ksh",)))) == cells(views.codes(Run(varieties=("kölsch",))))


# ---- provenance and reproduction


def test_what_is_shown_and_what_is_not_used(rows):
    assert views.shown(Run(), rows, "dep").text.startswith(
        "**Shown here:** the scores of `upstream` (6,821 rows, 312 of them of this task). The tables of gaps"
    )
    other = views.shown(Run(model="xlmr"), rows, gaps=False).text
    assert "The tables of gaps" not in other and "model `xlmr`" in other


def test_sources_count_rows_by_file(rows):
    found = cells(views.sources(rows, "sa"))
    assert found["Table 18"] == [
        "the print",
        "38",
        "mbert, mistral-7b, xlmr",
        "ajgt, astd, dzsentia, mac, oclar, saudibank, tsac, tunizi",
    ]
    assert views.sources(rows).text.splitlines()[-1].split() == ["all", "6,821"]
    assert views.sources(rows[rows.task == "mrc"], "sa").text == "The score rows hold none of this task."
    assert "Python 3." in views.versions().text


def test_reproduction_report(rows, paper):
    cells_of = views.audit(rows)
    assert re.match(
        r"Of 3,\d{3} printed cells and statements of the running text \*\*2,\d{3}\*\* \(\d\d\.\d %\) are reproduced",
        views.verdict(cells_of).text,
    )
    assert cells(views.per_table(cells_of))["Table 17"] == ["170", "102", "68", "0", "0"]
    assert cells(views.reasons(cells_of))["mislabelled column: holds recall"] == ["mislabelled", "88", "16", ""]
    assert cells(views.reasons(cells_of))["slip: the corpus is written in Gurmukhi"][3]
    assert "truncated" in views.listed(cells_of, "differs").text
    nothing = views.audit(paper)
    assert nothing == [] and 'choose `scores="upstream"`' in views.verdict(nothing).text


def test_no_view_is_hidden_by_a_module_of_its_name():
    from pathlib import Path

    assert not set(views.__all__) & {path.stem for path in Path(views.__file__).parent.glob("*.py")}
    assert all(callable(getattr(views, name)) for name in views.__all__)
    with pytest.raises(AttributeError, match="'tabel'"):
        views.tabel  # noqa: B018


@pytest.mark.parametrize("number", ["2", "3", "4a", "5", "10a", "world"])
def test_a_figures_frame_has_a_row_for_each_mark(rows, number):
    frame = views.figure(number, rows).frame
    wanted = {
        "2": ("cluster", "varieties", "dep"),
        "4a": ("system", "cluster", "x", "y"),
        "world": ("variety", "lon", "lat"),
    }
    assert set(wanted.get(number, ("cluster", "variety", "value"))) <= set(frame.columns)
    assert len(frame) > 5


def test_a_tables_frame_has_its_numbers(rows):
    frame = listing(["variety", "n"], [["Min Nan", "1,234"], ["no", ""]], "x", "y", numeric=["n"]).frame
    assert frame.variety.tolist() == ["Min Nan", "no"]
    assert frame.n.tolist()[0] == 1234 and frame.n.isna().tolist() == [False, True]
    assert views.table(10, rows).frame.zeroshot_mbert.iloc[1] == pytest.approx(38.14, abs=0.005)
    assert paragraph("A.", "", "B.").frame.text.tolist() == ["A.", "B."]
    assert views.finding("separators").frame.columns.tolist()[0] == "table"


def test_a_table_says_in_a_sentence_which_rows_of_ones_own_it_does_not_show(rows):
    own = rows[(rows.task == "tc") & (rows.metric == "f1") & (rows.setting == "zero_shot")].head(2)
    own = own.assign(origin="run", model="mine", run=["a", "b"], train=["eng_Latn", "somewhere"])
    told = "Rows read and not shown here: 1 of mine (zero-shot here is transfer from English, and their `train` is not eng_Latn)."
    shown = views.table(17, pd.concat([rows, own], ignore_index=True))
    assert told in shown.text and told.replace("`", "\\`").replace("_", "\\_") in shown.data["text/markdown"]
    assert "not shown here" not in views.table(17, rows).text
    assert "not shown here" not in views.table(10, pd.concat([rows, own.head(1)], ignore_index=True)).text
