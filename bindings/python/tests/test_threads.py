"""Threads, forks, sub-interpreters, signals and the end of the interpreter."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from assay import Verifier
from assay.testing import TestIssuer


def run(program, *arguments, limit=60):
    """Runs a program in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=limit,
    )


def test_threads_share_a_verifier(issuer, verifier):
    tokens = [issuer.token({"sub": f"user-{n}"}) for n in range(64)]
    failures = []

    def work():
        for _ in range(10):
            for n, token in enumerate(tokens):
                if verifier.verify(token).subject != f"user-{n}":
                    failures.append(n)
            if [each.subject for each in verifier.verify_batch(tokens)] != [f"user-{n}" for n in range(64)]:
                failures.append("batch")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_threads_read_the_same_claims(issuer, verifier):
    claims = verifier.verify(issuer.token({"list": list(range(50))}))
    failures = []

    def read():
        for _ in range(500):
            if dict(claims)["list"] != list(range(50)) or claims.header["alg"] != "ES256":
                failures.append(1)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_batch_lets_other_threads_run(issuer, verifier):
    tokens = [issuer.token()] * 20_000
    began, ended, ran = threading.Event(), threading.Event(), []

    def judge():
        began.set()
        verifier.verify_batch(tokens)
        ended.set()

    switch = sys.getswitchinterval()
    sys.setswitchinterval(60)  # the interpreter takes the GIL from nobody, so it must be given
    try:
        thread = threading.Thread(target=judge)
        thread.start()
        began.wait()
        while not ended.is_set():
            ran.append(1)
            ended.wait(0.0001)
        thread.join()
    finally:
        sys.setswitchinterval(switch)
    assert len(ran) > 1


def in_child(work):
    """Forks, and returns what the child's work returns as a text."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        try:
            said = repr(work())
        except BaseException as error:  # the child must not return into pytest
            said = f"raised {error!r}"
        os.write(sending, said.encode())
        os._exit(0)
    os.close(sending)
    with os.fdopen(receiving) as file:
        said = file.read()
    assert os.waitpid(child, 0)[1] == 0
    return said


def test_a_child_verifies_with_the_keys_of_its_parent(issuer, verifier):
    token = issuer.token()
    for _ in range(20):
        assert in_child(lambda: verifier.verify(token).subject) == "'user-1'"
    assert in_child(lambda: len(verifier.verify_batch([token] * 1000))) == "1000"


def test_a_child_fetches_for_itself(assay_issuer):
    with assay_issuer.remote_keys() as keys:
        verifier = Verifier(assay_issuer.identifier, "client-1", keys)
        assert verifier.verify_waiting(assay_issuer.token()).subject == "user-1"
        assay_issuer.rotate()
        token = assay_issuer.token()
        assert in_child(lambda: verifier.verify_waiting(token).subject) == "'user-1'"
        assert verifier.verify_waiting(token).subject == "user-1"


def test_a_child_of_the_first_moment_fetches_for_itself(assay_issuer):
    """A thread of the parent has the first requests in its hands, at whatever point. One that is lost would be missed for ten seconds."""
    token = assay_issuer.token()
    for round in range(40):
        with assay_issuer.remote_keys() as keys:
            verifier = Verifier(assay_issuer.identifier, "client-1", keys)
            time.sleep(round % 10 / 1000)
            assert in_child(lambda: keys.wait(9) and verifier.verify(token).subject) == "'user-1'"


def test_a_child_of_a_busy_process_ends_at_once():
    done = run(
        """
        import os, signal, sys, threading
        from assay import RemoteKeys, Verifier
        from assay.testing import TestIssuer

        issuer = TestIssuer("RS256")
        verifier, tokens = Verifier(None, None, issuer.keys), [issuer.token()] * 256
        keys = RemoteKeys(url="https://127.0.0.1:1/jwks")

        def work():
            while True:
                verifier.verify_batch(tokens)
                keys.wait(0.05)

        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        for _ in range(8):
            child = os.fork()
            if child == 0:
                signal.alarm(4)  # it would wait five seconds for a thread that it does not have
                sys.exit()
            print(os.waitpid(child, 0)[1])
        """
    )
    assert (done.returncode, done.stdout) == (0, "0\n" * 8), done.stderr


def test_children_of_a_busy_process_verify(issuer, verifier):
    token, done = issuer.token(), threading.Event()

    def busy():
        while not done.is_set():
            verifier.verify_batch([token] * 300)

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(15):
            assert in_child(lambda: verifier.verify(token).subject) == "'user-1'"
    finally:
        done.set()
        for thread in threads:
            thread.join()


PREPARE = """
    import os, signal, sys, threading, time
    import assay
    from assay.testing import TestIssuer
    issuer = TestIssuer({algorithm!r})
    verifier = assay.Verifier(issuer.identifier, "client-1", issuer.keys)
    tokens = [issuer.token(lifetime=9999) for _ in range(200)] * 200
"""


@pytest.mark.parametrize("algorithm", ["ES256", "Ed448", "RS256"])
def test_the_interpreter_ends_while_threads_verify(algorithm):
    program = textwrap.dedent(PREPARE.format(algorithm=algorithm)) + textwrap.dedent("""
        def work():
            while True:
                verifier.verify_batch(tokens)
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.1)
        print("ended")
    """)
    for _ in range(3):
        done = run(program)
        assert (done.returncode, done.stdout.strip()) == (0, "ended"), done.stderr


def test_the_interpreter_ends_while_keys_are_fetched():
    done = run("""
        import threading, assay
        from assay import Client, RemoteKeys
        keys = RemoteKeys(url="http://127.0.0.1:9/keys", client=Client(addresses=("loopback", "plain_loopback")))
        for _ in range(3):
            threading.Thread(target=keys.wait, args=(60,), daemon=True).start()
        print("ended")
    """)
    assert (done.returncode, done.stdout.strip()) == (0, "ended"), done.stderr


def test_a_signal_ends_a_long_batch_and_a_wait():
    program = textwrap.dedent(PREPARE.format(algorithm="ES256")) + textwrap.dedent("""
        from assay import RemoteKeys
        keys = RemoteKeys(url="https://127.0.0.1:1/keys")
        for work in (lambda: verifier.verify_batch(iter(lambda: tokens[0], None)), lambda: keys.wait(600)):
            # Again and again: Python drops an exception that a signal raises while it collects garbage.
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.setitimer(signal.ITIMER_REAL, 0.2, 1)
            try:
                work()
                print("went on")
            except KeyboardInterrupt:
                signal.setitimer(signal.ITIMER_REAL, 0)
                print("interrupted")
    """)
    done = run(program)
    assert done.stdout.split() == ["interrupted", "interrupted"], done.stderr


def test_handlers_of_signals_stay_as_they_were(issuer):
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    Verifier(None, None, issuer.keys)
    with TestIssuer() as other:
        other.remote_keys().wait()
    assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before


SUBINTERPRETERS = """
    import sys, threading
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    import assay  # also here
    from assay.testing import TestIssuer
    issuer = TestIssuer()
    program = '''
    import json, sys
    sys.path[:] = {path!r}
    import assay
    verifier = assay.Verifier({issuer!r}, "client-1", {jwks!r})
    claims = verifier.verify({token!r})
    assert claims["sub"] == "user-1" and dict(claims)["roles"] == ["a"]
    try:
        verifier.verify("x")
        raise SystemError("accepted")
    except assay.VerificationError as refusal:
        assert refusal.code == 101
    assert len(verifier.verify_batch([{token!r}] * 600)) == 600
    keys = assay.RemoteKeys(url="https://127.0.0.1:1/keys")
    assert not keys.wait(0.01)
    '''
    import textwrap
    token = issuer.token({"roles": ["a"]})
    program = textwrap.dedent(program).format(path=sys.path, issuer=issuer.identifier, jwks=issuer.jwks, token=token)
    failed = []
    def work():
        for _ in range(ROUNDS):
            made = interpreters.create()
            try:
                said = interpreters.run_string(made, program)
            except Exception as error:
                said = error
            if said:
                failed.append(said)
            interpreters.destroy(made)
    # From 3.12 on each has a GIL of its own, and they run at once.
    threads = [threading.Thread(target=work) for _ in range(4 if sys.version_info >= (3, 12) else 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        sys.exit(str(failed[0]))
    assert assay.Verifier(issuer.identifier, "client-1", issuer.keys).verify(issuer.token()).subject == "user-1"
    print("ended")
"""


def test_sub_interpreters_verify():
    done = run(SUBINTERPRETERS.replace("ROUNDS", "5"))
    assert (done.returncode, done.stdout.strip()) == (0, "ended"), done.stderr
