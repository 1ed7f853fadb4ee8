import io
import tarfile
import zipfile

import pytest

from dbutils.corpora import unpack
from dbutils.errors import InputError


def make_tar(path, members, links=()):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for name, target, kind in links:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            archive.addfile(info)
    return path


def make_zip(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("make", [make_tar, make_zip])
def test_wanted_files_come_out_under_their_own_paths(tmp_path, make):
    archive = make(tmp_path / "a", {"repo-1/data/x.txt": b"x", "repo-1/other.txt": b"o", "repo-1/b/x.txt": b"b"})
    written = unpack.unpack(archive, tmp_path / "out", unpack.wanted(["data/x.txt"]))
    assert written == ["data/x.txt"]
    assert [p.name for p in (tmp_path / "out").rglob("*") if p.is_file()] == ["x.txt"]
    assert (tmp_path / "out/data/x.txt").read_bytes() == b"x"


@pytest.mark.parametrize("make", [make_tar, make_zip])
@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/evil", "C:/evil"])
def test_a_member_that_leaves_the_folder_is_refused(tmp_path, make, name):
    archive = make(tmp_path / "a", {name: b"x"})
    with pytest.raises(InputError, match="leads out of the folder; refused"):
        unpack.unpack(archive, tmp_path / "out", unpack.everything)
    assert not list(tmp_path.rglob("evil"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(tmp_path, kind):
    archive = make_tar(tmp_path / "a", {}, [("link", "/etc/passwd", kind)])
    with pytest.raises(InputError, match="'link' is a link or a device; refused"):
        unpack.unpack(archive, tmp_path / "out", unpack.everything)
    assert not (tmp_path / "out/link").exists()


def test_links_in_zips_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(InputError, match="link or a device"):
        unpack.unpack(tmp_path / "a.zip", tmp_path / "out", unpack.everything)


@pytest.mark.parametrize("make", [make_tar, make_zip])
def test_a_bomb_is_stopped(tmp_path, make):
    archive = make(tmp_path / "a", {"small": b"1" * 600, "big": b"0" * 600})
    with pytest.raises(InputError, match="unpacks to more than is allowed; stopped at 'big'"):
        unpack.unpack(archive, tmp_path / "out", unpack.everything, largest=1000)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["small"]


def test_a_damaged_archive_is_named(tmp_path):
    archive = make_tar(tmp_path / "a.tar.gz", {"x": bytes(range(256)) * 400})
    archive.write_bytes(archive.read_bytes()[:200])
    with pytest.raises(InputError, match="a.tar.gz: damaged archive"):
        unpack.unpack(archive, tmp_path / "out", unpack.everything)
    assert not (tmp_path / "out/x").exists()
