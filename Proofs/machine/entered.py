"""The routines that ran since the last `clear`, by the compiler's notes on where its code comes from: so a proof runs what it covers."""
import re

ENTERED = set()
# A macro makes the names of these: what must run of a routine that the sources show as a macro.
MADE = {'KERNEL': r'cjwt_p(256|384|521)_(verify|ifma_verify8?)'}


def clear():
    ENTERED.clear()


def enter(module, note):
    """What the note of a function or of an instruction names, and what that is inlined into."""
    ENTERED.update(module.routines(note))


def ran(id):
    file, name = id.split(' ')
    return any(re.fullmatch(MADE.get(name, name), other) and ('/' + path).endswith('/' + file) for path, other in ENTERED)
