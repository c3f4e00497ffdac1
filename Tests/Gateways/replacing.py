"""The ways in which operators and their programs replace a file."""
import os
import shutil
import time


def in_place(file, text):
    """As an editor does that empties the file first."""
    with file.open("w") as out:
        out.flush()
        out.write(text)


def renamed(file, text):
    new = file.with_suffix(".new")
    new.write_text(text)
    new.rename(file)


def from_a_backup(file, text):
    """A copy over the file that keeps the date, which is older than that of the file."""
    backup = file.with_suffix(".backup")
    backup.write_text(text)
    os.utime(backup, (1_000_000_000, 1_000_000_000))
    shutil.copy2(backup, file)


def by_a_link(file, text):
    """As Kubernetes replaces a ConfigMap: the file is a link through `..data`, a link to the folder of the version. The file is alone in its
    folder."""
    folder, data = file.parent / f"..{time.time_ns()}", file.parent / "..data"
    former = data.resolve() if data.is_symlink() else None
    folder.mkdir()
    (folder / file.name).write_text(text)
    other = file.parent / "..data_tmp"
    other.symlink_to(folder.name)
    other.rename(data)
    if not file.is_symlink():
        link = file.with_suffix(".link")
        link.symlink_to(f"..data/{file.name}")
        link.rename(file)
    if former:
        shutil.rmtree(former)


ALL = [in_place, renamed, from_a_backup, by_a_link]
