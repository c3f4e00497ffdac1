"""Proves the arithmetic of the kernels from the compiler's own output.

    prove.py [NAME…] [--quick] [--list] [--jobs N]

runs the proofs whose names begin with a NAME, or all. Docs/Proofs.md explains what is proved, and from what. With ASSAY_TARGET=aarch64 it
proves the portable kernels from what clang writes for AArch64.
"""
import argparse
import importlib
import multiprocessing
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import inventory  # noqa: E402
from ir.compilation import TARGET  # noqa: E402
from machine.values import Unproven  # noqa: E402
from registry import Proof  # noqa: E402

# The library, and the models, which have a runner of their own.
LIBRARY = {'bits', 'contracts', 'integers', 'ir', 'machine', 'models'}


def all_proofs():
    """Those of every module with a function `proofs`, in every folder beside the library's; and that none is missing."""
    yield Proof('inventory routines', lambda: inventory.check(KNOWN.values()), quick=True)
    yield Proof('inventory output', inventory.check_output)
    yield Proof('inventory flags', inventory.check_flags, quick=True)
    yield Proof('inventory debug information', inventory.check_debug_information)
    for folder in sorted(path for path in HERE.iterdir() if path.is_dir() and path.name not in LIBRARY):
        for file in sorted(folder.glob('*.py')):
            module = importlib.import_module('%s.%s' % (folder.name, file.stem)) if file.stem != '__init__' else None
            if hasattr(module, 'proofs'):
                yield from module.proofs()


def run(name):
    """Runs a proof by its name, in a process of the pool; returns the name, what failed or None, the work, and the seconds."""
    started = time.monotonic()
    try:
        return name, None, KNOWN[name].prove() or '', time.monotonic() - started
    except Unproven as fault:
        return name, str(fault), '', time.monotonic() - started
    except Exception as fault:
        last = traceback.extract_tb(fault.__traceback__)[-1]
        text = '%s %s (%s:%d)' % (type(fault).__name__, fault, pathlib.Path(last.filename).name, last.lineno)
        return name, text, '', time.monotonic() - started


def in_order(chosen, names):
    """In the order of the names on the command line."""
    def place(p):
        return next((i for i, name in enumerate(names) if p.name.startswith(name)), 0)
    return [p.name for p in sorted(chosen, key=place)]


def main():
    parser = argparse.ArgumentParser(description='Proves the arithmetic of the kernels.')
    parser.add_argument('names', nargs='*', metavar='NAME')
    parser.add_argument('--quick', action='store_true', help='only the proofs that take less than a minute together')
    parser.add_argument('--list', action='store_true', help='lists every routine with its proof or its reason')
    parser.add_argument('--first', action='store_true', help='ends with the first that fails')
    parser.add_argument('--jobs', type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    chosen = [p for p in KNOWN.values() if (not options.quick or p.quick) and (TARGET == 'x86_64' or p.is_portable()) and
              (not options.names or any(p.name.startswith(name) for name in options.names))]
    if options.list:
        for id, why in inventory.routines(chosen):
            print('%-56s %s' % (id, why or 'NOTHING'))
        return 0
    failed = 0
    # Each proof has a process of its own: what z3 remembers from another proof must not decide whether it finds an answer.
    with multiprocessing.Pool(options.jobs, maxtasksperchild=1) as pool:
        for name, fault, work, seconds in pool.imap_unordered(run, in_order(chosen, options.names)):
            failed += fault is not None
            print('%-44s %s  %.1f s' % (name, 'proved  ' + work if fault is None else 'FAILED  ' + fault, seconds), flush=True)
            if fault is not None and options.first:
                return 1
    print('%d passed, %d failed' % (len(chosen) - failed, failed))
    return int(failed > 0 or not chosen)


KNOWN = {p.name: p for p in all_proofs()}

if __name__ == '__main__':
    sys.exit(main())
