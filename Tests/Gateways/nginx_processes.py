"""The processes of an nginx, and how to begin one with a text of one's own."""
import os
import pathlib
import re
import shutil
import signal
import subprocess

from program import Program, eventually, free_port

# ASSAY_NGINX names another nginx than this machine's.
BINARY = os.environ.get("ASSAY_NGINX") or shutil.which("nginx") or "/usr/sbin/nginx"


def version():
    """nginx's version, as three numbers."""
    said = subprocess.run([BINARY, "-v"], capture_output=True, text=True, check=True).stderr
    return tuple(map(int, re.search(r"nginx/(\d+)\.(\d+)\.(\d+)", said).groups()))


def early_log():
    """The arguments for a log before the configuration is read, which nginx 1.18 does not have."""
    return ["-e", "stderr"] if version() >= (1, 19, 5) else []


class Processes:
    """For a class with `folder`: the master writes its number into the file `pid` there."""

    def master(self):
        return int((self.folder / "pid").read_text())

    def children(self, title):
        """The processes of the master whose title begins so and that do not end: `worker process`, `cache manager process`."""
        found = []
        for task in pathlib.Path(f"/proc/{self.master()}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                try:
                    line = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().decode()
                except OSError:
                    continue
                if line.startswith(f"nginx: {title}") and "shutting down" not in line:
                    found.append(child)
        return found

    def workers(self):
        return self.children("worker process")

    def helpers(self):
        return self.children("cache manager process")

    def reload(self):
        """Asks for a reload, and waits until new workers have taken the place of the old ones."""
        old = set(self.workers())
        os.kill(self.master(), signal.SIGHUP)
        eventually(lambda: (now := set(self.workers())) and not now & old, 60, "the new workers")

    def kill(self, processes):
        """Kills processes, and waits until the master has started others instead."""
        kind = self.workers if set(processes) & set(self.workers()) else self.helpers
        count = len(kind())
        for process in processes:
            os.kill(process, signal.SIGKILL)
        eventually(lambda: len(now := kind()) == count and not set(now) & set(processes), 60, "other processes")


class Nginx(Processes):
    """nginx with the module and the text of an `http` block, in which PORT, UPSTREAM, ISSUER and FOLDER stand for this run's."""

    # Seconds that its start and its end may take.
    patience = 60

    def __init__(self, lab, name, http, main=""):
        self.lab, self.name, self.port = lab, name, free_port()
        self.folder = lab.folder / name
        self.folder.mkdir()
        self.configuration = self.folder / "nginx.conf"
        self.configuration.write_text(self.text(http, main), errors="surrogateescape")
        self.arguments = [BINARY, *early_log(), "-c", self.configuration, "-g", "daemon off;"]
        self.program = None

    def text(self, http, main):
        paths = "".join(f"    {kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        if os.geteuid() == 0 and "user " not in main:
            main += "user root;\n"
        for word, value in {
            "PORT": self.port, "UPSTREAM": f"127.0.0.1:{self.lab.upstream_port}", "ISSUER": self.lab.provider.issuer, "FOLDER": self.folder,
        }.items():
            http = http.replace(word, str(value))
        return (
            f"load_module {self.lab.module};\npid {self.folder}/pid;\nerror_log stderr warn;\n{main}events {{}}\nhttp {{\n"
            f"    access_log off;\n{paths}    assay_allow_loopback on;\n{http}}}\n")

    def start(self):
        self.program = Program(self.arguments, self.folder / "log", ports=[self.port], cwd=self.folder, patience=self.patience)
        # The port is open before the configuration is in force.
        eventually((self.folder / "pid").exists, self.patience, "the master's number")
        return self

    def tested(self, **environment):
        """What `nginx -t` says, and its exit code."""
        environment = {**os.environ, **environment}
        run = subprocess.run([*map(str, self.arguments), "-t"], capture_output=True, text=True, timeout=60, env=environment)
        return run.stderr, run.returncode

    def stop(self):
        if self.program:
            self.program.stop()

    def __enter__(self):
        return self.start()

    def __exit__(self, *failure):
        self.stop()
