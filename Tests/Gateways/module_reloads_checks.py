"""What reloads leave behind: memory, descriptors, and what valgrind finds. Each is a function of a lab."""
import os
import pathlib
import re
import signal
import time
import urllib.request

from exchange import Connection, ask, bearer
from module_running_checks import HTTP, with_key
from nginx_processes import Nginx
from program import eventually

# A location with keys of a file beside those that are fetched.
MORE = "location /file { assay_keys_file FOLDER/keys; proxy_pass http://UPSTREAM; }\n        location /public"


class Reloading(Nginx):
    """It may run under valgrind, where everything takes many times as long."""

    patience = 300

    def __init__(self, lab, name):
        http = HTTP.replace("MORE", "assay_wait 1s; assay_token_cache 1m;").replace("location /public", MORE)
        super().__init__(lab, name, http)
        (self.folder / "keys").write_bytes(urllib.request.urlopen(lab.provider.issuer + "/jwks").read())
        # A slow machine takes longer than the provider's tokens live.
        self.token, self.junks = lab.provider.token(exp=int(time.time()) + 86_400), 0

    def start(self):
        """Under valgrind the first keys come after `assay_wait`."""
        super().start()
        eventually(lambda: self.ask("/x", self.token).status == 200, self.patience, "the first keys")
        return self

    def ask(self, target, token=None):
        return ask(self.port, target, [bearer(token)] if token else [], timeout=self.patience)

    def junk(self):
        """The token under an unknown key."""
        self.junks += 1
        return with_key(self.token, f"junk-{self.junks}")

    def descendants(self):
        """All children of the master: valgrind hides their titles."""
        tasks = pathlib.Path(f"/proc/{self.master()}/task").iterdir()
        return {int(child) for task in tasks for child in (task / "children").read_text().split()}

    def serve_and_reload(self):
        for target in ("/x", "/file", "/public"):
            answer = self.ask(target, self.token)
            assert answer and answer.status == 200, (target, answer)
        assert self.ask("/x").status == 401
        # Two requests wait for a key that does not exist; one client goes away meanwhile.
        with Connection(self.port, timeout=self.patience) as gone:
            gone.send("/x", [bearer(self.junk())])
        assert self.ask("/x", self.junk()).status in (401, 503)
        old = self.descendants()
        os.kill(self.master(), signal.SIGHUP)
        eventually(lambda: len(now := self.descendants()) == 2 and not now & old, self.patience, "two new processes")

    def memory(self):
        """Kilobytes of the master that are in no file."""
        text = pathlib.Path(f"/proc/{self.master()}/smaps_rollup").read_text()
        return int(re.search(r"^Anonymous: +(\d+) kB", text, re.M)[1])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.master()}/fd"))


def reloads_leave_nothing_in_the_master(lab, long):
    # libassay gives the tables of old keys back later: after some reloads it frees as many as it makes.
    before, count, most = (60, 200, 2_048) if long else (10, 20, 4_096)
    with Reloading(lab, "reloads") as nginx:
        for _ in range(before):
            nginx.serve_and_reload()
        memory, descriptors = nginx.memory(), nginx.descriptors()
        for _ in range(count):
            nginx.serve_and_reload()
        grown = nginx.memory() - memory
        # The master closes the channels of a worker a moment after that has ended.
        eventually(lambda: nginx.descriptors() <= descriptors, 60, f"no more than {descriptors} descriptors")
        assert grown < most, f"{grown} KB in {count} reloads"
        return f"{count} reloads: {grown} KB of {memory} KB, {descriptors} descriptors"


SUMMARY = re.compile(r"ERROR SUMMARY: (\d+) errors")


def faults(log):
    """What valgrind found in a process, without the numbers in front of its lines. An empty line ends each finding."""
    text = re.sub(r"^==\d+== ?", "", log, flags=re.M)
    return "\n".join(finding[:1_500] for finding in text.split("\n\n") if " at 0x" in finding) or text[-500:]


def valgrind_finds_nothing(lab, long):
    """No access beyond memory, no use of uninitialized memory, no leak: in the master, in ended workers, in the process that fetches keys."""
    count = 200 if long else 3
    nginx = Reloading(lab, "valgrind")
    suppressions = pathlib.Path(__file__).with_name("nginx.supp")
    nginx.arguments = [
        "valgrind", "--trace-children=yes", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
        "--num-callers=30", f"--suppressions={suppressions}", f"--log-file={nginx.folder}/valgrind-%p", *nginx.arguments,
    ]
    with nginx:
        for _ in range(count):
            nginx.serve_and_reload()
        nginx.program.stop(signal.SIGQUIT)
    paths = list(nginx.folder.glob("valgrind-*"))
    eventually(lambda: all(SUMMARY.search(path.read_text()) for path in paths), 30, "the summary of each process")
    logs = [path.read_text() for path in paths]
    faulty = [log for log in logs if SUMMARY.findall(log) != ["0"]]
    assert not faulty, f"{len(faulty)} of {len(logs)} processes\n" + "\n".join(map(faults, faulty))
    assert len(logs) >= 2 * count, len(logs)
    return f"{count} reloads, {len(logs)} processes"


ALL = [reloads_leave_nothing_in_the_master, valgrind_finds_nothing]
