"""Envoy with a configuration of a test's own."""
import pathlib
import urllib.error
import urllib.request

from program import Program, free_port


def binary():
    # The wrapper of the package would read standard input of a terminal; the binary beside it does not.
    import envoy
    return pathlib.Path(envoy.__file__).parent / "_bin" / "envoy"


class EnvoyProgram:
    """Envoy in a folder of its own. `text` is a function of the administrative port."""

    count = 0

    def __init__(self, lab, text, ports=(), arguments=(), workers=2):
        EnvoyProgram.count += 1
        self.lab, self.administration_port = lab, free_port()
        self.folder = lab.folder / f"envoy-{EnvoyProgram.count}"
        self.folder.mkdir()
        self.file = self.folder / "envoy.json"
        self.file.write_text(text(self.administration_port))
        environment = {"ENVOY_DYNAMIC_MODULES_SEARCH_PATH": str(lab.module)}
        self.program = Program(
            [binary(), "-c", self.file, "--concurrency", str(workers), "--base-id", str(self.administration_port), "-l", "warning",
             *arguments], self.folder / "log", ports=[self.administration_port, *ports], environment=environment)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.stop()

    def stop(self):
        self.program.stop()

    def administration(self, path):
        """The status and the text of an answer of Envoy's administrative interface."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.administration_port}{path}", timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as failure:
            return failure.code, failure.read().decode()

    def stats(self, prefix=""):
        """Counters and gauges by their names, and histograms as their text."""
        lines = (line.split(": ", 1) for line in self.administration(f"/stats?filter=^{prefix}")[1].splitlines())
        return {name: int(value) if value.isdigit() else value for name, value in lines}
