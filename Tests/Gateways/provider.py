"""The OpenID provider of the tests: commands to loopback-provider, one line each."""
import json
import subprocess
import threading


class Provider:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()
        self.issuer = self.process.stdout.readline().split()[1]

    def ask(self, command):
        with self.lock:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        assert answer and not answer.startswith("no such"), f"{command}: {answer}"
        return answer

    def token(self, **claims):
        """A token under the current key, with further or other claims."""
        return self.ask("claims " + json.dumps(claims))

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
