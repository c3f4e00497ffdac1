"""z3's solvers, bounded by work and not by time: a question has the same answer on a busy machine and on an idle one."""
import z3

# z3's own count of its steps: ten times the hardest question of today's proofs.
STEPS = 200_000_000


def solver(logic=None, steps=STEPS):
    """A solver that gives up a question, as `unknown`, after this many steps."""
    made = z3.SolverFor(logic) if logic else z3.Solver()
    made.set('rlimit', steps)
    return made
