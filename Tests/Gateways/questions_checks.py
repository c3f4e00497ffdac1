"""A gateway's questions reach the service and nobody else, however many requests come at once."""
import threading

from exchange import ask, bearer

EVIL = ("X-Auth-Subject", "evil")


def crowd(port, token, threads, requests):
    """The statuses of requests with and without a token that come at once, each on a connection of its own."""
    statuses, start = {True: [], False: []}, threading.Barrier(threads)

    def send(has_token):
        for _ in range(requests):
            start.wait()
            answer = ask(port, "/orders", [EVIL, bearer(token)] if has_token else [EVIL])
            statuses[has_token].append(answer.status if answer else None)

    senders = [threading.Thread(target=send, args=(number % 2 == 0,)) for number in range(threads)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    return statuses


def the_questions_of_a_crowd_reach_the_service_alone(gateway):
    """Caddy may open a connection for a question, and use it for another one when the first request has gone on to its application: it then
    led there. The application answers 200 to everything, and so admits a request."""
    upstream = gateway.lab.upstream
    count = len(upstream.arrived)
    statuses = crowd(gateway.port, gateway.lab.provider.token(), 24, 20)
    assert set(statuses[False]) == {401} and set(statuses[True]) == {200}, statuses
    assert not any(is_question(seen) for seen in upstream.arrived[count:])
    assert len(upstream.arrived) == count + len(statuses[True])


def is_question(seen):
    """Whether a request has what a gateway adds for the service. A client may send one of these fields."""
    return {"x-assay-fields", "x-forwarded-uri"} <= {name.lower() for name, _ in seen["fields"]}


def no_application_has_seen_a_question(lab, long):
    """In all the checks before."""
    for upstream in (lab.upstream, lab.second):
        assert not [seen for seen in upstream.arrived if is_question(seen)]


AT_THE_END = [no_application_has_seen_a_question]
ALL = [the_questions_of_a_crowd_reach_the_service_alone]
