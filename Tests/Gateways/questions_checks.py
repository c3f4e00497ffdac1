"""A gateway's questions reach the service and nobody else, however many requests come at once."""
import threading

from exchange import Connection, ask, bearer
from listener_checks import HTTP, question
from program import eventually

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
    """The application answers 200 to everything, so a question that reached it would admit a request. Behind Caddy a race could lead one
    there. A crowd hardly ever meets that race: `caddy_keeps_no_connection_to_the_service` guards against its cause."""
    upstream = gateway.lab.upstream
    count = len(upstream.arrived)
    statuses = crowd(gateway.port, gateway.lab.provider.token(), 24, 20)
    assert set(statuses[False]) == {401} and set(statuses[True]) == {200}, statuses
    assert not any(is_question(seen) for seen in upstream.arrived[count:])
    assert len(upstream.arrived) == count + len(statuses[True])


def caddy_keeps_no_connection_to_the_service(gateway):
    """One that Caddy opened ahead of its need can lead to the application, and the next question would use it
    (Docs/Decisions/0070-caddys-questions.md). What Caddy keeps, it keeps for two minutes."""
    service, token = gateway.lab.service, gateway.lab.provider.token()
    before = answers(service, "caddy", 200), answers(service, "caddy", 401)
    for _ in range(3):
        assert ask(gateway.port, "/orders", [bearer(token)]).status == 200
        assert ask(gateway.port, "/orders").status == 401
    assert (answers(service, "caddy", 200), answers(service, "caddy", 401)) == (before[0] + 3, before[1] + 3)
    eventually(lambda: connections(service, "caddy") == 0, 30, "the end of Caddy's connections to the service")
    # Without this, the number above would prove nothing.
    with Connection(gateway.lab.listener_ports[HTTP["caddy"]]) as kept:
        assert kept.ask("/", question("caddy", token)).status == 200
        assert connections(service, "caddy") == 1


def answers(service, listener, status):
    return service.metric(f'assay_gateway_answers_total{{listener="{listener}",status="{status}"}}')


def connections(service, listener):
    return service.metric(f'assay_gateway_connections{{listener="{listener}"}}')


def is_question(seen):
    """Whether a request has what a gateway adds for the service. A client may send one of these fields."""
    return {"x-assay-fields", "x-forwarded-uri"} <= {name.lower() for name, _ in seen["fields"]}


def no_application_has_seen_a_question(lab, long):
    """In all the checks before."""
    for upstream in (lab.upstream, lab.second):
        assert not [seen for seen in upstream.arrived if is_question(seen)]


AT_THE_END = [no_application_has_seen_a_question]
ALL = [the_questions_of_a_crowd_reach_the_service_alone]
# Other gateways keep connections to the service for their questions.
OF_CADDY = [caddy_keeps_no_connection_to_the_service]
