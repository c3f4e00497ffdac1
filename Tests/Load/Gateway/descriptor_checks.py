"""A service that has fewer descriptors than connections come."""
import os
import re
import time

import resources
from crowd import Crowd
from deadlines import ConnectionLab, Deadlines, Service
from exchange import Connection, ask, bearer
from processor import Watch
from program import eventually

# Half of the descriptors are for connections. An event loop has three, and each core has one.
LIMIT = 120 + 6 * max(0, os.cpu_count() - 2)


class PoorService(Service):
    def __init__(self, place):
        wrapper = place.folder / "poor-assay"
        wrapper.write_text(f'#!/bin/sh\nulimit -n {LIMIT}\nexec "{place.assay}" "$@"\n')
        wrapper.chmod(0o755)
        place.assay = wrapper
        super().__init__(place)


def without_descriptors_the_service_waits_and_goes_on(lab, long):
    """Nothing ends and nothing spins; connections that exist are served, and new ones as soon as others have gone."""
    poor = ConnectionLab(Deadlines(True), 0, PoorService, ["nginx"])
    try:
        token, port = poor.provider.token(), poor.listener_ports["9191"]
        question = [("X-Original-Method", "GET"), ("X-Original-URI", "/orders"), bearer(token)]
        share_of_a_listener = int(re.search(r'"connections_of_a_listener":"(\d+)"', poor.service.program.output())[1])
        before = resources.use(poor.process).descriptors
        with Connection(port) as kept, Crowd(port, LIMIT + 60) as crowd:
            assert kept.ask("/", question).status == 200
            eventually(lambda: resources.use(poor.process).descriptors >= before + share_of_a_listener, 20, "the listener's share")
            with Watch(service=poor.service.program) as watch:
                for _ in range(10):
                    assert kept.ask("/", question).status == 200, "a connection that exists is not served"
                    time.sleep(0.1)
            assert resources.use(poor.process).descriptors < LIMIT - 20, "one listener has the descriptors of the others"
            share = watch.used["service"] / 1e9
            assert share < 0.2, f"the service is busy for {share:.1f} of a second while it has nothing to do"
            assert not poor.service.program.has_ended()
            crowd.close()
        nginx = poor.gateways[0].port
        eventually(lambda: ask(nginx, "/orders", [bearer(token)]).status == 200, 20, "the return of nginx's answers")
    finally:
        poor.stop()
    return f"busy for {share * 100:.0f} %"


SHORT = [without_descriptors_the_service_waits_and_goes_on]
LONG = SHORT
