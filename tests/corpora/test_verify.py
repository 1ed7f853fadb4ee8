from dbutils.corpora import stats, verify


def findings(found):
    return {f.path: (f.status, f.note) for f in found}


def test_what_is_got_by_hand_is_checked_by_its_number_of_examples(place):
    place("column_split_of_parallel_corpus.tsv", "madar/MADAR_Corpus/MADAR.corpus.Aleppo.tsv")
    assert findings(verify.counts("madar")) == {
        "arabic train": ("differs", "1 examples instead of 41600"),
        "arabic dev": ("differs", "1 examples instead of 5200"),
        "arabic test": ("differs", "1 examples instead of 5200"),
    }


def test_the_published_number_is_right(place, monkeypatch):
    place("column_split_of_parallel_corpus.tsv", "madar/MADAR_Corpus/MADAR.corpus.Aleppo.tsv")
    table = stats.committed()
    table = table[(table["corpus"] == "madar") & (table["split"] == "test")].assign(examples="1")
    monkeypatch.setattr(stats, "committed", lambda: table)
    assert findings(verify.counts("madar")) == {"arabic test": ("count right", "")}


def test_what_is_not_on_disk_is_not_counted(root):
    assert list(verify.counts("madar")) == []


def test_quick_look_compares_sizes_only(write):
    from dbutils.corpora import records

    (record,) = records.of("noisy_occitan")
    write("noisy_occitan/test_ROci_UPOS.tsv", b"x" * record.bytes)
    (quick,) = verify.files("noisy_occitan", deep=False)
    (deep,) = verify.files("noisy_occitan")
    assert quick.status == "size right"
    assert deep.status == "differs" and deep.note.endswith(f"instead of {record.sha256[:12]}...")


def test_a_pointer_or_page_in_place_of_a_file_is_named(place):
    place("lfs_pointer.txt", "norwegian_ner/bokmaal/no_bokmaal-ud-dev.bioes")
    assert findings(verify.files("norwegian_ner"))["bokmaal/no_bokmaal-ud-dev.bioes"] == (
        "differs",
        "it is a Git LFS pointer, not the data",
    )
