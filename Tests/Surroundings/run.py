"""Runs each program of the repository in surroundings that lack something. Usage: run.py [BUILD]

Where a program can still do what it was asked, the result is the same. Where it cannot, it ends with an error and a code of its own: never
by a signal, never with 0, and never not at all. The last line has the totals.
"""
import concurrent.futures
import os
import sys
import threading

import activation
import allocations
import server_checks
import task_checks
import terminal
import variables
from identity import IdentityServer
from modules import Envoy, Missing, Nginx, c_host
from programs import SCRATCH, run
from servers import GatewayService, IdentityService
from surroundings import NO_ADDRESS, WITHOUT_PROC, faketime, turkish
from tasks import Issuer, of_bench, of_tokens

IN_NAMESPACE = (task_checks.lacks_proc, task_checks.lacks_null, server_checks.lacks_proc, server_checks.lacks_null)


class Report:
    """What passed, what failed, and what is not tried."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.lock = threading.Lock()

    def skip(self, what, reason):
        with self.lock:
            self.skipped += 1
            print(f"skipped {what}: {reason}", flush=True)

    def fail(self, what, failure):
        with self.lock:
            self.failed += 1
            print(f"FAIL {what}: {type(failure).__name__} {failure}", flush=True)

    def made(self, what, make, *arguments):
        """What a function makes, in a list; an empty one without it."""
        try:
            return [make(*arguments)]
        except Missing as reason:
            self.skip(what, reason)
        except Exception as failure:
            self.fail(what, failure)
        return []

    def check(self, check):
        name, function, arguments = check
        try:
            function(*arguments)
        except Exception as failure:
            self.fail(name, failure)
        else:
            with self.lock:
                self.passed += 1

    def close(self):
        """Prints the totals, and ends the run."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.exit(self.failed > 0)


def of_task(task):
    task.learn()
    return [(f"{task.name}, {name}", function, arguments) for name, function, arguments in task_checks.checks(task)]


def of_server(server):
    return [(f"{server.name}, {name}", function, arguments) for name, function, arguments in server_checks.checks(server)]


def of_activation(service):
    yield service.name, server_checks.serves, (service,)
    for environment in activation.MISTYPED:
        yield f"{service.name}, {environment}", server_checks.refuses, (service, [NO_ADDRESS], b"edge", (), environment)


def checks(report, pool, identity):
    """Name, function and arguments of each check."""
    issuer = Issuer()
    making = [("nginx", Nginx, issuer), ("Envoy", Envoy, issuer), ("the C host", c_host, issuer), ("bench", of_bench),
              ("idaas serve", IdentityService)]
    gateway = GatewayService(issuer)
    nginx, envoy, c_hosts, bench, service = pool.map(lambda what: report.made(*what), making)
    modules = nginx + envoy
    for module in modules:
        for name in module.impossible:
            report.skip(f"{module.name}, {name}", "it does not start, with our module or without it")
    tasks = [*of_tokens(issuer), *identity.tasks(), *(task for module in modules for task in module.tasks())]
    tasks += [task for group in c_hosts + bench for task in group]
    found = [check for group in pool.map(lambda task: report.made(task.name, of_task, task), tasks) for each in group for check in each]
    for server in [gateway, *service, *modules]:
        found += of_server(server)
    found += of_activation(activation.ActivatedService(issuer))
    found += [check for each in report.made("calls that fail", allocations.checks, issuer, identity) for check in each]
    found += [*identity.checks(), *terminal.checks(identity.to_tenant)]
    return [*found, ("every variable that the sources read is mistyped", variables.every_variable_is_mistyped, ())]


def look_around(report):
    """Says which surroundings this system does not have."""
    for what, is_there in (("a false clock", faketime()), ("a Turkish locale", turkish())):
        if not is_there:
            report.skip(what, "the system lacks it")
    if os.geteuid() != 0:
        report.skip("few threads, and a folder that is not absolute", "only root runs a program as another user")


def possible(report, found):
    """The checks that this system allows. Says which it does not."""
    if run([*WITHOUT_PROC, "true"]).code == 0:
        return found
    for name, function, _ in found:
        if function in IN_NAMESPACE:
            report.skip(name, "the system allows no mount namespace")
    return [check for check in found if check[1] not in IN_NAMESPACE]


def main():
    report = Report()
    look_around(report)
    with concurrent.futures.ThreadPoolExecutor(4) as pool, IdentityServer() as identity:
        list(pool.map(report.check, possible(report, checks(report, pool, identity))))
    report.close()


if __name__ == "__main__":
    with SCRATCH:
        main()
