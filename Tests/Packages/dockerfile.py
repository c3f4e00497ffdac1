"""Runs the steps of the Dockerfile one by one without a container engine, and then the image's command: dockerfile.py [--anew]

A stage from swift:… is a copy of this machine (an overlay), which has a toolchain. A stage from debian:… is a minimal Debian made by
debootstrap. The sources are copied to this folder itself, so that what is built here is kept; with --anew they are copied to /source, and
everything is compiled, for 12 to 25 minutes. Needs root and apt's mirror. Ends with "N passed, N failed".
"""
import fnmatch
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

project = pathlib.Path(__file__).resolve().parents[2]
TOKEN = (project / "Examples/rfc/rfc7515-a3-es256.jwt").read_bytes()
passed = failed = 0


def check(text, holds):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print(f"FAIL {text}")
    return holds


def instructions():
    """(instruction, arguments) of each step, with the lines of a step joined."""
    text = re.sub(r"^#.*\n", "", (project / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip()]


class Stage:
    def __init__(self, base, work):
        self.work = work
        self.root = work / "root"
        self.folder, self.user, self.entry, self.arguments = "/", None, [], []
        self.values = {}
        self.root.mkdir(parents=True)
        (self.machine if base.startswith("swift:") else self.debian)()
        run("mount", "-t", "proc", "proc", self.root / "proc")
        run("mount", "--rbind", "/dev", self.root / "dev")
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")

    def machine(self):
        for name in ("upper", "scratch"):
            (self.work / name).mkdir()
        run("mount", "-t", "overlay", "overlay", "-o",
            f"lowerdir=/,upperdir={self.work}/upper,workdir={self.work}/scratch", self.root)
        # The overlay gives the files other device numbers, by which SwiftPM would take all of them as changed.
        run("mount", "--bind", project, f"{self.root}{project}")

    def debian(self):
        archive = subprocess.run([project / "Tests/Packages/clean-root.sh"], capture_output=True, text=True, check=True).stdout.strip()
        run("tar", "-C", self.root, "-xf", archive)

    def step(self, command, **streams):
        """Runs a shell command, or the words of a command, in the stage, as its user."""
        user = ["--userspec", self.user] if self.user else []
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "http_proxy", "https_proxy") if name in os.environ}
        # chroot begins at the root, and the shell changes to the folder.
        line = command if isinstance(command, str) else f"exec {shlex.join(command)}"
        script = f"cd {shlex.quote(self.folder)} && {line}"
        return subprocess.run(["chroot", *user, self.root, "/bin/sh", "-c", script], env=kept | self.values, **streams)


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


def ignored(path):
    patterns = (project / ".dockerignore").read_text().split()
    parts = [str(path), path.name] + [str(parent) for parent in path.parents]
    return any(fnmatch.fnmatch(part, pattern.removeprefix("**/")) for part in parts for pattern in patterns)


def copy_context(destination):
    """Copies the sources. A file that is there already with the same bytes stays as it is."""
    for folder, names, files in os.walk(project):
        here = pathlib.Path(folder).relative_to(project)
        names[:] = [name for name in names if not ignored(here / name)]
        for name in (name for name in files if not ignored(here / name)):
            source, target = project / here / name, destination / here / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def copy(stage, stages, text):
    *options, source, target = text.split()
    if options:
        origin = stages[options[0].removeprefix("--from=")].root
        run("cp", "-a", f"{origin}{source}/.", f"{stage.root}{target}/")
    else:
        assert (source, target) == (".", "."), "only the whole context is copied"
        copy_context(pathlib.Path(f"{stage.root}{stage.folder}"))


def built(work, values):
    """Runs every step, and gives the last stage."""
    stages, stage = {}, None
    for word, text in instructions():
        text = re.sub(r"\$\{(\w+)\}", lambda found: stage.values.get(found[1], found[0]), text)
        print(f"{word} {text}"[:140], flush=True)
        if word == "FROM":
            base, *name = text.split(" AS ")
            stage = Stage(base, work / str(len(stages)))
            stages[name[0] if name else base] = stage
        elif word == "ARG":
            name, _, value = text.partition("=")
            stage.values[name] = values.get(name, value)
        elif word == "WORKDIR":
            stage.folder = text
            pathlib.Path(f"{stage.root}{text}").mkdir(parents=True, exist_ok=True)
        elif word == "COPY":
            copy(stage, stages, text)
        elif word == "RUN":
            ended = stage.step(text, capture_output=True, text=True)
            if not check(f"{text}: {ended.stdout[-1500:]}{ended.stderr[-1500:]}", ended.returncode == 0):
                return None
        elif word == "USER":
            stage.user = text
        elif word in ("ENTRYPOINT", "CMD"):
            words = re.findall(r'"([^"]*)"', text)
            stage.entry, stage.arguments = (words, stage.arguments) if word == "ENTRYPOINT" else (stage.entry, words)
        else:
            raise SystemExit(f"FAIL an unknown instruction: {word}")
    return stage


def used(image):
    """The image's command, as `docker run` calls it."""
    (image.root / "tmp/key.jwk").write_bytes((project / "Examples/rfc/rfc7515-a3-es256.jwk").read_bytes())

    def ask(*arguments):
        return image.step([*image.entry, *(arguments or image.arguments)], input=TOKEN, capture_output=True)

    version = re.search(r'version: String { "([^"]+)"', (project / "Sources/CommandProgram/CommandProgram.swift").read_text())[1]
    check("the version", ask("--version").stdout.decode().strip() == version)
    check("without arguments it shows its help", b"USAGE: assay" in ask().stdout)
    valid = ask("verify", "--key", "/tmp/key.jwk", "--now", "1300819000")
    check(f"a token of RFC 7515 {valid.stderr}", valid.returncode == 0 and b"joe" in valid.stdout)
    expired = ask("verify", "--key", "/tmp/key.jwk")
    check("the same token today", expired.returncode == 1 and b"expired" in expired.stdout + expired.stderr)
    check("it does not run as root", image.step(["id", "-u"], capture_output=True).stdout == b"65534\n")
    check("no Swift is in it", not [path for place in ("usr", "opt") for path in (image.root / place).rglob("*swift*")])


def main():
    if os.geteuid() != 0:
        print("Dockerfile skipped: its steps need root")
        return
    if "inside" not in sys.argv:
        os.execvp("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, __file__, "inside", *sys.argv[1:]])
    work = pathlib.Path(tempfile.mkdtemp())
    try:
        run("mount", "-t", "tmpfs", "tmpfs", work)
        image = built(work, {} if "--anew" in sys.argv else {"source": str(project)})
        if image:
            used(image)
    finally:
        run("umount", "-lR", work)
        work.rmdir()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
