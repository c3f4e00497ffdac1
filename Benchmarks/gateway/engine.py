"""The tier of Assay's engine, as each program says by itself: the service by a metric, the modules for nginx and Envoy in their logs."""
import re
import time

TIERS = ("openssl", "tables", "avx2", "avx512f", "avxifma", "ifma")
# What Linux calls the instructions of a tier; one of several is enough.
FLAGS = {"avx2": {"avx2"}, "avx512f": {"avx512f"}, "avxifma": {"avx_ifma", "avx512ifma"}, "ifma": {"avx512ifma"}}
METRIC = re.compile(r'^assay_engine_info\{tier="(\w+)"\} 1$', re.M)
LINE = re.compile(r'the tier "(\w+)"(?: of assay)? judges signatures')


def of_machine(cpuinfo):
    """The tiers that a machine has, by its /proc/cpuinfo."""
    flags = set(cpuinfo.split())
    return [tier for tier in TIERS if tier not in FLAGS or FLAGS[tier] & flags]


def of_metrics(text):
    """The tier in the metrics of a service; None where they have none, or two."""
    return only(METRIC.findall(text))


def of_log(text, seconds=10):
    """The tier in the log of a gateway; None where no line names one, or two differ. A worker that begins has a moment to write it."""
    end = time.monotonic() + seconds
    while not LINE.search(text()) and time.monotonic() < end:
        time.sleep(0.05)
    return only(LINE.findall(text()))


def only(found):
    return found[0] if len(set(found)) == 1 else None


def judge(target):
    """The program in which Assay decides; None where the gateway itself or Apache does, or nobody."""
    is_assay = target.decides and not target.name.startswith(("its own", "Apache"))
    return (target.service or target.gateway) if is_assay else None


def tier(target):
    """The tier that the program which decides says; None for rows that Assay does not decide, and where it says nothing."""
    said = getattr(judge(target), "tier", None)
    return said and said()


def fault(target, wanted):
    """Why a row must not have the name of a tier; None if it may, and for rows that Assay does not decide."""
    said = tier(target)
    if not wanted or judge(target) is None or said == wanted:
        return None
    return f"the program runs the tier {said}, not {wanted}" if said else "the program does not say which tier it runs"
