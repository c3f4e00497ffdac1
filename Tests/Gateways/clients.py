"""Clients that ask one after another until they are stopped, each request on a connection of its own."""
import threading

from exchange import ask, bearer


def status(gateway, token, target="/reports"):
    answer = ask(gateway.port, target, [bearer(token)])
    return answer and answer.status


class Clients:
    def __init__(self, gateway, token, count=4):
        self.statuses, self.is_ended = [], False
        self.threads = [threading.Thread(target=self.ask_on, args=(gateway, token), daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def ask_on(self, gateway, token):
        while not self.is_ended:
            self.statuses.append(status(gateway, token))

    def end(self):
        self.is_ended = True
        for thread in self.threads:
            thread.join()
        return self.statuses
