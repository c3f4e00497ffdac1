"""Clients that ask all the time while an operator changes something: with good tokens, and with what must never pass."""
import threading

from exchange import ask, bearer


class Watch:
    """Asks for `/orders` with one token after another until the block ends, each request on a connection of its own.

    A token of `good` gets 200 or, while something is switched, 5xx or no answer, and never another verdict. What is `forbidden` gets no 200
    and does not reach the application; None is a request without a token.
    """

    def __init__(self, lab, port, good, forbidden):
        self.lab, self.port, self.failures = lab, port, []
        self.kinds = [("good", token) for token in good] + [("forbidden", token) for token in forbidden]
        self.counts = {kind: 0 for kind, _ in self.kinds}
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.ask_on) for _ in range(2)]

    def ask_on(self):
        try:
            while not self.ended.is_set():
                for kind, token in self.kinds:
                    self.judge(kind, ask(self.port, "/orders", [("X-Kind", kind)] + ([bearer(token)] if token else [])))
                self.ended.wait(0.005)
        except OSError as failure:
            self.failures.append(repr(failure))

    def judge(self, kind, answer):
        self.counts[kind] += 1
        status = answer.status if answer else 503
        if status == 200 if kind == "forbidden" else status != 200 and status < 500:
            self.failures.append(f"{kind}: {answer}")

    def __enter__(self):
        self.before = len(self.lab.upstream.arrived)
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *failure):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        if failure[0] is None:
            arrived = [field for seen in self.lab.upstream.arrived[self.before:] for field in seen["fields"]]
            assert "forbidden" not in {value for name, value in arrived if name.lower() == "x-kind"}, "the application was reached"
            assert not self.failures, f"{len(self.failures)} of {self.counts}: {sorted(set(self.failures))[:5]}"
            assert all(self.counts.values()), self.counts
