"""Processes that judge mutants, each in its own copy of the sources, which its prover reads."""
import multiprocessing
import multiprocessing.connection
import os

from mutation import tree

SPAWN = multiprocessing.get_context('spawn')


def seconds():
    """What this process and those that it waited for computed. The hours of a busy machine say nothing."""
    return sum(os.times()[:4])


def received(pipe):
    try:
        return pipe.recv()
    except EOFError:  # the run was interrupted
        return None


def work(base, folder, cases, pipe):
    # Here and not above: the prover reads which sources it proves when it is loaded.
    from mutation.differential import Wrong
    from mutation.judges import Judges
    judges = Judges(base, folder, cases)
    while (mutant := received(pipe)) is not None:
        started = seconds()
        try:
            pipe.send((judges.judge(mutant), seconds() - started))
        except Wrong as fault:
            pipe.send((str(fault), 0))


class Workers:
    def __init__(self, base, folder, jobs, cases):
        self.pipes, self.processes = [], []
        for job in range(jobs):
            copy = tree.copy(folder / ('job-%d' % job))
            os.environ['ASSAY_KERNELS'] = str(copy / tree.KERNELS)
            mine, theirs = SPAWN.Pipe()
            process = SPAWN.Process(target=work, args=(base, copy, cases, theirs))
            process.start()
            self.pipes.append(mine)
            self.processes.append(process)

    def judge(self, run):
        """All that the run hands out."""
        busy = {}
        while True:
            for pipe in self.pipes:
                if pipe not in busy and (mutant := run.next()) is not None:
                    pipe.send(mutant)
                    busy[pipe] = mutant
            if not busy:
                return
            for pipe in multiprocessing.connection.wait(list(busy)):
                verdict, seconds = pipe.recv()
                if isinstance(verdict, str):
                    raise SystemExit('mutants: ' + verdict)
                run.done(busy.pop(pipe), verdict, seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pipe in self.pipes:
            try:
                pipe.send(None)
            except OSError:
                pass
        for process in self.processes:
            process.join(5)
            process.terminate()
