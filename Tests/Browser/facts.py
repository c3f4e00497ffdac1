"""Counts the facts that hold, and ends a run with them."""
import sys
import time
import traceback

held = 0
start = time.monotonic()


def fact(text, holds):
    global held
    if not holds:
        raise AssertionError(text)
    held += 1


def closing(main):
    try:
        main()
    except Exception as failure:
        traceback.print_exc(limit=4)
        print(f"FAIL {failure}\n{held} passed, 1 failed")
        sys.exit(1)
    print(f"in {time.monotonic() - start:.0f} s")
    print(f"{held} passed, 0 failed")
