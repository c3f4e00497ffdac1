"""The time that processes used on processors, by their threads."""
import os
import time


def family(process):
    """A process and its descendants."""
    members = [process]
    for thread in threads(process):
        try:
            with open(f"/proc/{process}/task/{thread}/children") as children:
                for child in children.read().split():
                    members += family(int(child))
        except OSError:
            pass
    return members


def threads(process):
    try:
        return os.listdir(f"/proc/{process}/task")
    except OSError:
        return []


def nanoseconds(process):
    """Of all threads of the process and its descendants, also of threads that have ended."""
    total = 0
    for member in family(process):
        try:
            total += time.clock_gettime_ns(processor_clock(member))
        except OSError:
            pass
    return total


def processor_clock(process):
    """The clock of another process that counts its time on processors: what clock_getcpuclockid(3) returns on Linux."""
    return ~process << 3 | 2


def place(program, core):
    """Leaves a program and its descendants one core."""
    for member in family(program.process.pid):
        for thread in threads(member):
            try:
                os.sched_setaffinity(int(thread), {core})
            except OSError:
                pass


def separate(targets, application):
    """Gateways and services run on the first core; the application and this program's clients on the second."""
    first, second = sorted(os.sched_getaffinity(0))[:2]
    for program in {program for target in targets for program in (target.gateway, target.service) if program}:
        place(program, first)
    place(application, second)
    os.sched_setaffinity(0, {second})


class Watch:
    """Microseconds for each request that processes used while the block ran."""

    def __init__(self, **programs):
        self.processes = {name: program.process.pid for name, program in programs.items() if program}

    def __enter__(self):
        self.before = {name: nanoseconds(process) for name, process in self.processes.items()}
        return self

    def __exit__(self, *failure):
        self.used = {name: nanoseconds(process) - self.before[name] for name, process in self.processes.items()}

    def each(self, requests):
        return {name: round(used / 1e3 / requests, 2) for name, used in self.used.items()} if requests else {}
