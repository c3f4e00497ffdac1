"""Runs proofs of changed kernels in a process that is a copy of this one: the prover is loaded once, and nothing that it keeps remains."""
import multiprocessing
import os
import re

import prove
from contracts.sources import functions
from ir.compilation import KERNELS
from mutation.sites import FOLDERS

FORK = multiprocessing.get_context('fork')
TICKS = os.sysconf('SC_CLK_TCK')


def callers(routine):
    """{id: distance} of the routine, and of those that call it, however far up."""
    text, found, todo = {}, {routine: 0}, [functions()[routine]]
    while todo:
        called = todo.pop(0)
        for other in functions().values():
            if other.id in found or other.file.split('/')[0] not in (called.file.split('/')[0], *FOLDERS):
                continue
            if other.file not in text:
                text[other.file] = (KERNELS / other.file).read_text()
            if re.search(r'\b%s\s*\(' % called.name, text[other.file][other.span[0]:other.span[1]]):
                found[other.id] = found[called.id] + 1
                todo.append(other)
    return found


def proofs_of(mutant):
    """The names of the nearest proofs, and of the others: those of the routine, and of what calls it. Of a constant, all of its folder."""
    known = prove.KNOWN.values()
    if mutant.routine is None:
        return ['constants'], [p.name for p in known if any(id.startswith(mutant.group + '/') for id in p.covers)]
    distances = callers(mutant.routine)
    if not any(set(p.covers) & set(distances) for p in known):  # macros call some
        distances = {id: 0 for id, function in functions().items() if function.file == mutant.file}
    place = {p.name: min(distances[id] for id in p.covers if id in distances) for p in known if set(p.covers) & set(distances)}
    names = sorted(place, key=place.get)
    nearest = [name for name in names if place[name] == min(place.values())]
    return nearest, names[len(nearest):]


def trial(names, pipe):
    functions.cache_clear()
    for name in names:
        pipe.send(prove.run(name)[:2])
    pipe.close()


def seconds_of(process):
    try:
        with open('/proc/%d/stat' % process.pid) as file:
            fields = file.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except OSError:
        return 0


def refusal(names, seconds):
    """(name, fault) of the first proof that fails. One that does not end within so many seconds of computing says nothing."""
    names = list(names)
    while names:
        reader, writer = FORK.Pipe(False)
        process = FORK.Process(target=trial, args=(names, writer), daemon=True)
        process.start()
        writer.close()
        found = first_fault(process, reader, names, seconds)
        process.kill()
        process.join()
        if found:
            return found
    return None


def first_fault(process, reader, names, seconds):
    """Removes from the names what has an answer, or gives none in time."""
    begun = 0
    while names:
        if reader.poll(1):
            try:
                name, fault = reader.recv()
            except EOFError:
                return names[0], 'the process of the proof ends without an answer'
            names.remove(name)
            if fault is not None:
                return name, fault
            begun = seconds_of(process)
        elif seconds_of(process) - begun > seconds:
            names.pop(0)
            return None
    return None
