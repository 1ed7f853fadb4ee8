"""Getting a corpus: what is missing is fetched, what is there and right is left alone."""

import contextlib
import os
import urllib.parse
from pathlib import PurePosixPath

from dbutils.corpora import catalogue, download, load, received, records, store, unpack, verify
from dbutils.errors import InputError


def get(corpus, say=print, progress=None, fetch=download.fetch):
    """Get a corpus completely and verified; returns the number of files that were fetched.

    say: called with lines of text for the user. progress: called with (file name, bytes so far,
    bytes in all or -1). A lock keeps two processes from getting the same corpus at once; the
    second waits and then finds everything there. A file that differs from its record is kept as
    `<name>.old` and fetched again.
    Raises InputError where something cannot be got: at once if the server cannot be reached, else
    after everything else has been.
    """
    record = catalogue.corpus(corpus)
    say(catalogue.notice(record))
    try:
        with _locked(store.folder(corpus), lambda: say(f"waiting for another process that gets {corpus}")):
            return _get(record, say, progress, fetch)
    except OSError as error:
        raise InputError(f"{error.filename or store.folder(corpus)}: {error.strerror}") from None


@contextlib.contextmanager
def _locked(folder, wait):
    """Hold the lock of a corpus folder; a process that is killed gives it up."""
    import filelock

    folder.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        wait()
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _get(record, say, progress, fetch):
    missing = _missing(record, say)
    if not missing and not _archive_left(record) and not _unlisted_left(record):
        return 0
    if not (record.address or record.archive):
        raise InputError(f"corpus {record.id!r} cannot be fetched: {store.how_to_get(record.id)}")
    single = [file for file in missing if file.address or not record.archive]
    packed = [file for file in missing if file not in single]
    failures = []
    for file in single:
        try:
            _fetch_one(record, file, progress, fetch)
        except download.Unreachable:
            raise
        except InputError as error:
            failures.append(str(error))
    if packed or _archive_left(record):
        _fetch_archive(record, packed, say, progress, fetch)
    if failures:
        more = f" (and {len(failures) - 1} more files)" if len(failures) > 1 else ""
        raise InputError(f"{failures[0]}{more}")
    return len(missing) if missing else len(received.read(record.id))


def _missing(record, say):
    """The recorded files that are not there or not right; what differs is put aside."""
    notes, missing = received.read(record.id), []
    for file in records.of(record.id):
        finding = verify.one(record.id, file.path, file.bytes, file.sha256, notes)
        if finding.status == "differs":
            path = store.folder(record.id) / file.path
            say(f"{path} differs from its record ({finding.note}); kept as {path.name}.old")
            os.replace(path, path.with_name(f"{path.name}.old"))
        if finding.status not in verify.GOOD:
            missing.append(file)
    return missing


def _archive_left(record):
    """Whether an archive whose files are not recorded one by one is still to be got."""
    if not record.archive or records.of(record.id):
        return False
    findings = list(verify.files(record.id))
    return not findings or any(finding.status not in verify.GOOD for finding in findings)


def _unlisted_left(record):
    """Whether a corpus that is got by hand, its files not recorded one by one, is still to be laid there."""
    if not record.by_hand or records.of(record.id):
        return False
    task = record.tasks[0]
    code = record.codes[task][0]
    try:
        next(iter(load.examples(task, record.id, code, load.names(task, record.id, code)[0])), None)
    except store.NotOnDisk:
        return True
    except load.NoExamples:
        pass
    return False


def address_of(record, file):
    """The address of a single file."""
    if file.address:
        return file.address
    path = PurePosixPath(file.path)
    quoted = {
        "path": urllib.parse.quote(file.path),
        "folder": urllib.parse.quote(str(path.parent)),
        "name": urllib.parse.quote(path.name),
    }
    return record.address.format(**quoted)


def _fetch_one(record, file, progress, fetch):
    address = address_of(record, file)
    target = store.folder(record.id) / file.path
    digest = fetch(address, target, file.bytes, file.sha256, _named(progress, target.name))
    if not file.sha256:
        received.note(record.id, {file.path: (target.stat().st_size, digest, address)})


def _fetch_archive(record, files, say, progress, fetch):
    folder = store.folder(record.id)
    name = PurePosixPath(urllib.parse.urlsplit(record.archive).path).name
    archive = folder / ".archive" / name
    if not archive.exists():
        fetch(record.archive, archive, -1, record.archive_sha256, _named(progress, name))
    say(f"unpacking {name}")
    rule = unpack.wanted([file.path for file in files]) if files else unpack.everything
    try:
        written = unpack.unpack(archive, folder, rule)
    except InputError:
        archive.unlink()
        raise
    _note_unpacked(record, files, written)
    absent = [file.path for file in files if file.path not in set(written)]
    archive.unlink()
    if absent:
        raise InputError(f"{record.archive}: holds no {absent[0]!r} ({len(absent)} files of the record are missing)")
    wrong = [f for f in (_check(record, f) for f in files) if f.status not in verify.GOOD]
    if wrong:
        raise InputError(f"{record.archive}: its {wrong[0].path!r} is not the recorded file: {wrong[0].note}")


def _check(record, file):
    return verify.one(record.id, file.path, file.bytes, file.sha256, received.read(record.id))


def _note_unpacked(record, files, written):
    recorded = {file.path for file in files if file.sha256}
    folder = store.folder(record.id)
    new = {
        path: ((folder / path).stat().st_size, download.sha256_of(folder / path), record.archive)
        for path in written
        if path not in recorded
    }
    if new:
        received.note(record.id, new)


def _named(progress, name):
    return (lambda done, total: progress(name, done, total)) if progress else None
