"""The user's phone: the command `assay`, with its session and its key in a folder of its own."""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Wire"))
import slider  # noqa: E402

PROMPT = "give up): "


class Phone:
    def __init__(self, assay, base, client, development, folder):
        self.assay, self.base, self.client, self.development = assay, base, client, development
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = str(self.folder / "session.json")

    def log_in(self, mobile):
        """Logs in by SMS. The position comes from the two pictures, the code from the server's outbox."""
        picture = self.folder / "slider.png"
        command = [
            self.assay, "login", "sms", "--domain", self.base, "--client", self.client, "--mobile", mobile, "--slider", f"png:{picture}",
            "--store", self.store, "--outbox", self.development, "--json",
        ]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        said = ""
        while letter := process.stderr.read(1):
            said += letter
            if said.endswith(PROMPT):
                place = slider.position(picture.read_bytes(), (self.folder / "slider.piece.png").read_bytes())
                process.stdin.write(f"{place}\n")
                process.stdin.flush()
        output = process.stdout.read()
        if process.wait() != 0:
            raise AssertionError(f"the phone cannot log in: {said}{output}")

    def mfa(self, *arguments):
        """The exit code and the JSON document of `assay mfa`."""
        outcome = subprocess.run(
            [self.assay, "mfa", *arguments, "--store", self.store, "--json"], capture_output=True, text=True, timeout=60,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        document = json.loads(outcome.stdout) if outcome.stdout.strip() else {}
        return outcome.returncode, document, outcome.stderr
