"""What must be true of a task in surroundings. Each check fails by an assertion."""
from surroundings import (
    DATA, FAILED, FALSE_CLOCK, INPUT, OUTPUTS, RESOURCE, USAGE, WITHOUT_DEV, WITHOUT_PROC, faults, limits, redirected, same_for)


def outcome_of(task, prefix=(), environment=None):
    outcome = task.asked(prefix, environment)
    assert outcome is not None, "does not end"
    return outcome


def is_same(task, prefix=(), environment=None):
    outcome = outcome_of(task, prefix, environment)
    assert outcome == task.whole, f"{outcome}, and in whole surroundings {task.whole}"


def is_error(task, fault):
    outcome = outcome_of(task, (), fault.variables)
    assert outcome.code in fault.codes and fault.word in outcome.errors and not outcome.output, outcome


def library_warns(task, fault):
    """A library does not end its host: it verifies with libcrypto's arithmetic, and says so."""
    outcome = outcome_of(task, (), fault.variables)
    assert outcome == task.whole and fault.word in outcome.errors, outcome


def library_has_no_keys(task, fault):
    outcome = outcome_of(task, (), fault.variables)
    assert outcome.code == FAILED and task.without_keys in outcome.output + outcome.errors, outcome
    assert b"valid:" not in outcome.output, outcome


def of_fault(task, fault):
    if task.is_ours:
        return is_error
    return library_warns if fault.part == "engine" else library_has_no_keys


def is_refused_at(task, prefix, environment):
    """Who asks others about the time has an error at a false clock."""
    outcome = outcome_of(task, prefix, environment)
    assert outcome.code == FAILED and task.at_false_clock in outcome.errors and not outcome.output, outcome


def is_told(task, prefix, environment):
    """Under a limit it has the same result, or ends with a sentence."""
    outcome = outcome_of(task, prefix, environment)
    if outcome.code == task.code:
        assert outcome == task.whole, outcome
    else:
        # A file that cannot be opened is 2.
        assert outcome.code in task.refusals and outcome.errors, outcome
        assert outcome.code != RESOURCE or b"this program needs" in outcome.errors, outcome


def lacks_proc(task):
    """Dispatch ends a process by a signal where it cannot look at its threads, in one of fifty short runs. So no program of ours begins
    there. The C interface does without it, and so do the hosts of our modules."""
    if not task.is_ours:
        return is_same(task, WITHOUT_PROC)
    outcome = outcome_of(task, WITHOUT_PROC)
    assert outcome.code == RESOURCE and b"this program needs /proc" in outcome.errors, outcome


def lacks_null(task):
    """A file of the user must not get the number of standard output."""
    outcome = outcome_of(task, [*WITHOUT_DEV, *redirected(">&-")])
    assert not outcome.output, outcome
    if task.is_ours:
        assert outcome.code == RESOURCE and b"this program needs /dev/null" in outcome.errors, outcome


def streams_are_told(task):
    for redirection in task.streams:
        outcome = outcome_of(task, redirected(redirection))
        if redirection in OUTPUTS and task.whole.output:
            assert outcome.code == USAGE, (redirection, outcome)
        elif redirection == INPUT and task.given:
            assert outcome.code == task.without_input, (redirection, outcome)
        else:
            assert outcome.code == task.code, (redirection, outcome)


def checks(task):
    """Name, function and arguments of each check."""
    for name, prefix, environment in same_for(task.needs):
        if name == FALSE_CLOCK and task.at_false_clock:
            yield name, is_refused_at, (task, prefix, environment)
        elif name not in task.impossible:
            yield name, is_same, (task, prefix, environment)
    for fault in faults():
        if fault.part in task.needs:
            yield fault.name, of_fault(task, fault), (task, fault)
    for name, prefix, environment, is_enough in limits(data=DATA if task.is_ours else (), **task.limits):
        yield name, is_same if is_enough else is_told, (task, prefix, environment)
    yield "no /proc", lacks_proc, (task,)
    yield "no /dev and no standard output", lacks_null, (task,)
    yield "standard streams", streams_are_told, (task,)
