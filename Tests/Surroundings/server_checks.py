"""What must be true of a server in surroundings. Each check fails by an assertion."""
from surroundings import (
    ERRORS, INPUT, NO_KEYS_LEFT, OUTPUTS, RESOURCE, USAGE, USERS, WITHOUT_DEV, WITHOUT_PROC, faults, limits, redirected, same_for)

# A server has an event loop for each core. With these limits one on two cores has enough.
MANY_CORES = {"NIO_SINGLETON_GROUP_LOOP_COUNT": "32"}
FOR_MANY_CORES = {"descriptors": (60, 100, 140), "mebibytes": (1_000, 1_250, 1_350), "threads": (24, 32, 48, 80)}


def serves(server, surrounding="", prefix=(), environment=None, word=b""):
    """It answers a good token and a bad one as in whole surroundings, and ends when it is asked to."""
    with server.begun(surrounding, prefix, environment) as running:
        port = server.port(running)
        assert port, f"does not serve: {running.ended()} {running.errors()[-300:]!r}"
        server.answers(running, port, surrounding)
        assert not running.has_ended(), f"has ended: {running.ended()} {running.errors()[-300:]!r}"
        code = running.stopped()
        assert code == 0 and word in running.errors(), (code, running.errors()[-300:])


def refuses(server, codes, word=b"", prefix=(), environment=None):
    """It does not serve, and says why."""
    with server.begun("", prefix, environment) as running:
        port = server.port(running)
        assert port is None, f"serves at {port}"
        code = running.ended()
        assert code in codes and running.errors() and word in running.errors(), (code, running.errors()[-300:])


def is_told(server, prefix, environment=None):
    """Under a limit it serves as ever, or says why it does not."""
    with server.begun("", prefix, environment) as running:
        port = server.port(running)
        if port:
            server.answers(running, port, "")
            running.process.terminate()
        code = running.ended()
        assert code in ((0,) if port else server.refusals) and (port or running.errors()), (code, running.errors()[-300:])
        assert code != RESOURCE or b"this program needs" in running.errors(), running.errors()[-300:]


def is_told_by_host(server, prefix):
    """A host may have no descriptor for what it answers with. Its decisions are as ever, and none of its processes ends by a signal."""
    with server.begun("", prefix) as running:
        port = server.port(running)
        if port:
            answers = [server.answer(port, token) for token in (server.issuer.token, server.issuer.forged, None)]
            assert answers[0] is None or answers[0].status in (200, 500), answers
            assert all(answer is None or answer.status == 401 for answer in answers[1:]), answers
            running.process.terminate()
        code = running.ended()
        assert code in ((0,) if port else server.refusals), (code, running.errors()[-300:])
        assert (port or running.errors()) and b"signal" not in running.errors().replace(b"ENVOY_SIGTERM", b""), running.errors()[-300:]


def fault_is_told(server, fault):
    """A host of our module goes on, warns, and may be without keys; or it refuses its configuration."""
    if server.is_ours:
        return refuses(server, fault.codes, fault.word, (), fault.variables)
    if fault.part == "engine":
        return serves(server, "", (), fault.variables, fault.word)
    if server.without_keys:
        return refuses(server, server.refusals, server.without_keys, (), fault.variables)
    return serves(server, NO_KEYS_LEFT, (), fault.variables)


def lacks_proc(server):
    if not server.is_ours:
        return serves(server, "", WITHOUT_PROC)
    refuses(server, [RESOURCE], b"this program needs /proc", WITHOUT_PROC)


def lacks_null(server):
    refuses(server, [RESOURCE], b"this program needs /dev/null", [*WITHOUT_DEV, *redirected(">&-")])


def output_is_lost(server, redirection):
    """Our programs print where they listen."""
    if not server.is_ours:
        return serves(server, "", redirected(redirection))
    refuses(server, [USAGE], b"cannot write to standard output", redirected(redirection))


def checks(server):
    """Name, function and arguments of each check."""
    for name, prefix, environment in same_for(server.needs):
        if name not in server.impossible:
            yield name, serves, (server, name, prefix, environment)
    for fault in faults():
        if fault.part in server.needs:
            yield fault.name, fault_is_told, (server, fault)
    told = is_told if server.is_ours else is_told_by_host
    for name, prefix, _, is_enough in limits(user=lambda: next(USERS), **server.limits):
        yield name, *((serves, (server, "", prefix)) if is_enough else (told, (server, prefix)))
    yield "no /proc", lacks_proc, (server,)
    for redirection in (INPUT, *ERRORS):
        yield redirection, serves, (server, "", redirected(redirection))
    for redirection in OUTPUTS:
        yield redirection, output_is_lost, (server, redirection)
    if server.is_ours:
        yield "no /dev and no standard output", lacks_null, (server,)
        for name, prefix, _, _ in limits(user=lambda: next(USERS), **FOR_MANY_CORES):
            yield f"{name} on many cores", is_told, (server, prefix, MANY_CORES)
