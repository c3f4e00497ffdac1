"""Rotations, unknown keys, outages, documents that are refused, and conditional requests."""

from .suite import Scenario, ScenarioSuite, failure, ok, status

PERIOD = 240  # 80 % of the lifetime of 300 seconds
END = 300 + 3600  # the lifetime and the time beyond it while the issuer fails


def begun(identifier, why, document="a", cache="max-age=300", *fields, **policy):
    """A cache that has fetched its first set."""
    return Scenario(identifier, why, **policy).serve(0, ok(document, cache, *fields)).see(
        0, keys=sorted(document.split("-")) if document in ("a", "b", "a-b", "a-b-c-d") else ["a"], generation=1, fetches=1)


def rotations():
    suite = ScenarioSuite("rotations", "An issuer adds, removes and replaces keys.", "OpenID Connect Core 1.0 section 10.1.1")
    suite.add(begun("rotation-scheduled", "A new key is adopted by the scheduled fetch.")
              .serve(100, ok("a-b", "max-age=300")).see(PERIOD - 1, keys=["a"], fetches=1)
              .ask(PERIOD + 1, "b", "key", keys=["a", "b"], generation=2, fetches=2), severity="must")
    suite.add(begun("rotation-asked-for", "A new key that a token names is fetched at once.")
              .serve(100, ok("a-b", "max-age=300")).ask(100, "b", "keys_unavailable", "key", fetches=2)
              .ask(101, "b", "key", keys=["a", "b"], generation=2, fetches=2), severity="must")
    suite.add(begun("rotation-removed", "A removed key stops verifying when the set without it is fetched.", "a-b")
              .serve(100, ok("b", "max-age=300")).ask(PERIOD - 1, "a", "key", keys=["a", "b"])
              .see(PERIOD + 1, keys=["b"], generation=2, fetches=2)
              .ask(PERIOD + 20, "a", "keys_unavailable", "unknown_key", keys=["b"], fetches=3)
              .ask(PERIOD + 21, "a", "unknown_key", fetches=3), severity="must")
    suite.add(begun("rotation-replaced-set", "A set that has no key in common with the last one replaces it.")
              .serve(100, ok("b-c", "max-age=300")).ask(100, "b", "keys_unavailable", "key")
              .see(101, keys=["b", "c"], generation=2, fetches=2), severity="must")
    suite.add(begun("rotation-same-order", "The same keys in another order are the same set.", "a-b")
              .serve(100, ok("b-a", "max-age=300")).see(PERIOD + 1, keys=["a", "b"], generation=1, fetches=2))
    suite.add(begun("rotation-same-name", "Other material under the same name is another set.")
              .serve(100, ok("a2", "max-age=300")).see(PERIOD - 1, generation=1).see(PERIOD + 1, keys=["a"], generation=2, fetches=2),
              severity="must")
    suite.add(begun("rotation-back", "A key that comes back is accepted again.")
              .serve(100, ok("b", "max-age=300")).see(PERIOD + 1, keys=["b"], generation=2)
              .serve(300, ok("a-b", "max-age=300")).ask(300, "a", "keys_unavailable", "key")
              .see(301, keys=["a", "b"], generation=3, fetches=3))
    suite.add(begun("rotation-program", "The program may ask for a fetch at any time.").serve(50, ok("a-b", "max-age=300")).refresh(50)
              .see(50, keys=["a", "b"], generation=2, fetches=2).refresh(51).see(51, generation=2, fetches=3))
    suite.add(begun("rotation-many-periods", "Fetches go on at 80 % of the lifetime each.")
              .see(PERIOD + 1, fetches=2).see(2 * PERIOD - 1, fetches=2).see(2 * PERIOD + 1, fetches=3).see(10 * PERIOD + 1, fetches=11,
                                                                                                         generation=1))
    suite.add(begun("rotation-shorter-lifetime", "Each response sets its own lifetime.")
              .serve(100, ok("a", "max-age=100")).see(PERIOD + 1, fetches=2).see(PERIOD + 79, fetches=2).see(PERIOD + 81, fetches=3))
    suite.add(Scenario("rotation-jitter", "An instance deviates from 80 % by at most a tenth.", refresh_jitter=0.1)
              .serve(0, ok("a", "max-age=300")).see(209, fetches=1).see(271, fetches=2), severity="hardening")
    return suite


def unknown_keys():
    suite = ScenarioSuite("unknown-keys", "Tokens name keys that the set does not have: junk, or keys made a moment ago.",
                          "RFC 8725 section 3.10", "hardening")
    suite.add(begun("unknown-one", "A token with an unknown key causes one fetch, and is then refused for good.")
              .ask(100, "x", "keys_unavailable", "unknown_key", fetches=2).ask(101, "x", "unknown_key", fetches=2)
              .ask(109, "x", "unknown_key", keys=["a"], generation=1, fetches=2), severity="should")
    suite.add(begun("unknown-again", "After ten seconds the same unknown key may cause a fetch again.")
              .ask(100, "x", "keys_unavailable", "unknown_key", fetches=2).ask(111, "x", "keys_unavailable", "unknown_key", fetches=3)
              .ask(112, "x", "unknown_key", fetches=3))
    flood = begun("unknown-flood", "A flood of unknown keys causes two fetches in ten seconds.")
    flood.ask(100, "x1", "keys_unavailable", "unknown_key").ask(101, "x2", "keys_unavailable", "unknown_key")
    for number in range(3, 20):
        flood.ask(101 + number / 4, f"x{number}", "unknown_key", fetches=3)
    suite.add(flood.ask(112, "x20", "keys_unavailable", "unknown_key", fetches=4, keys=["a"], generation=1), severity="should")
    suite.add(begun("unknown-flood-and-rotation", "A key made during a flood is adopted within ten seconds.")
              .ask(100, "x1", "keys_unavailable", "unknown_key").ask(101, "x2", "keys_unavailable", "unknown_key", fetches=3)
              .serve(102, ok("a-b", "max-age=300")).ask(102, "b", "unknown_key", fetches=3).ask(109, "x3", "unknown_key", fetches=3)
              .ask(111, "x4", "keys_unavailable", "unknown_key", fetches=4)
              .ask(111.5, "b", "key", keys=["a", "b"], generation=2), severity="should")
    suite.add(begun("unknown-known-key-unharmed", "Known keys verify during a flood.")
              .ask(100, "x1", "keys_unavailable", "unknown_key").ask(100, "a", "key").ask(100.5, "x2", "keys_unavailable", "unknown_key")
              .ask(101, "x3", "unknown_key").ask(101, "a", "key", fetches=3), severity="must")
    suite.add(begun("unknown-slow", "While the fetch is under way, every unknown key is told to try again.")
              .serve(90, ok("a-b", "max-age=300", after=3)).ask(100, "b", "keys_unavailable", "key", fetches=2)
              .ask(101, "b", "keys_unavailable", "key", fetches=2).ask(102, "x", "keys_unavailable", "unknown_key", fetches=2)
              .ask(102, "a", "key").ask(103.5, "b", "key", keys=["a", "b"], generation=2, fetches=2))
    suite.add(begun("unknown-one-fetch-at-a-time", "Many tokens that name a new key cause one fetch.")
              .serve(90, ok("a-b", "max-age=300", after=2))
              .ask(100, "b", "keys_unavailable", "key").ask(100, "b", "keys_unavailable", "key").ask(100.5, "b", "keys_unavailable", "key")
              .ask(101, "b", "keys_unavailable", "key", fetches=2).ask(102.5, "b", "key", fetches=2), severity="should")
    suite.add(begun("unknown-in-outage", "While the issuer fails, an unknown key may exist: the token is told to try again.")
              .serve(50, status(503)).ask(100, "x", "keys_unavailable", fetches=2).ask(101, "x", "keys_unavailable", fetches=3)
              .ask(102, "x", "keys_unavailable", fetches=3).ask(102, "a", "key", keys=["a"], generation=1))
    suite.add(Scenario("unknown-without-keys", "Without keys, tokens cause at most two fetches in ten seconds.", backoff=[300, 300])
              .serve(0, status(503)).see(0, keys=[], fetches=1).ask(1, "a", "keys_unavailable", fetches=2)
              .ask(2, "a", "keys_unavailable", fetches=3)
              .ask(3, "a", "keys_unavailable", fetches=3).ask(9, "b", "keys_unavailable", fetches=3).serve(10, ok("a", "max-age=300"))
              .ask(11.5, "a", "keys_unavailable", "key", fetches=4).ask(11.5, "a", "key", keys=["a"], generation=1), severity="should")
    suite.add(begun("unknown-limit-of-one", "The number of fetches that tokens may cause is a setting.", probe_limit=1)
              .ask(100, "x1", "keys_unavailable", "unknown_key", fetches=2).ask(101, "x2", "unknown_key", fetches=2)
              .ask(110.5, "x3", "keys_unavailable", "unknown_key", fetches=3))
    suite.add(begun("unknown-young-set", "Of a set that is older than the window, a token is told to try again.")
              .ask(100, "x1", "keys_unavailable", "unknown_key", fetches=2).ask(101, "x2", "keys_unavailable", "unknown_key", fetches=3)
              .serve(102, status(500)).ask(110, "x3", "keys_unavailable", fetches=4).ask(111, "x4", "keys_unavailable", fetches=5)
              .ask(112, "x5", "keys_unavailable", fetches=5))
    fast = begun("unknown-fast-rotation", "An issuer that replaces its key every two seconds loses no token, and junk still gets two fetches.")
    for number, name in enumerate("bcabcab"):
        fast.serve(100 + 2 * number, ok(name, "max-age=300"))
        fast.ask(100 + 2 * number, name, "keys_unavailable", "key", fetches=number + 2)
    suite.add(fast.ask(113, "x1", "keys_unavailable", "unknown_key").ask(113.5, "x2", "keys_unavailable", "unknown_key", fetches=10)
              .ask(114, "x3", "unknown_key", fetches=10).ask(114, "b", "key", generation=8))
    suite.add(begun("unknown-newest-failed", "When the newest fetch past every cache has failed, nobody knows that a key does not exist.")
              .ask(93, "x1", "keys_unavailable", "unknown_key").ask(95, "x2", "keys_unavailable", "unknown_key", fetches=3)
              .ask(96, "x3", "unknown_key", fetches=3).serve(102, status(500)).ask(103, "x3", "keys_unavailable", fetches=4)
              .ask(103.5, "x4", "keys_unavailable", fetches=4).ask(103.5, "x2", "keys_unavailable", fetches=4).ask(103.5, "a", "key"))
    return suite


def outages():
    suite = ScenarioSuite("outages", "The issuer answers with errors, late, or not at all.", "RFC 9111 section 4.2.4; RFC 5861 section 4")
    for identifier, answer in [("500", status(500)), ("502", status(502)), ("503", status(503)), ("404", status(404)), ("401", status(401)),
                               ("403", status(403)), ("429", status(429)), ("204", status(204)), ("301", status(301)),
                               ("connection", failure("connection")), ("tls", failure("tls")), ("name", failure("unresolved_name")),
                               ("timed-out", failure("timed_out")), ("too-large", failure("too_large"))]:
        suite.add(begun(f"outage-{identifier}",
                        "While the issuer fails, the last set is believed for its lifetime and an hour, and then dropped.")
                  .serve(100, answer).ask(299, "a", "key", keys=["a"]).ask(301, "a", "key", keys=["a"], generation=1)
                  .ask(END - 1, "a", "key", keys=["a"], generation=1).see(END + 1, keys=[], generation=2)
                  .ask(END + 1, "a", "keys_unavailable", keys=[]))
    suite.add(begun("outage-revocation-first", "A policy may drop keys when their lifetime ends.", stale_if_error=0)
              .serve(100, status(503)).ask(299, "a", "key", keys=["a"]).see(301, keys=[], generation=2).ask(301, "a", "keys_unavailable"))
    suite.add(begun("outage-short", "After an outage the next fetch confirms the set, and the belief starts anew.")
              .serve(200, status(503)).see(PERIOD + 1, fetches=2).serve(250, ok("a", "max-age=300")).see(PERIOD + 31, fetches=3)
              .serve(280, status(503)).ask(PERIOD + 30 + END - 1, "a", "key", generation=1).see(PERIOD + 30 + END + 1, keys=[]))
    suite.add(begun("outage-and-rotation", "A key made during an outage is adopted when the issuer is back.")
              .serve(200, status(503)).see(PERIOD + 1, fetches=2).serve(1000, ok("b", "max-age=300")).ask(1040, "b", "key", keys=["b"],
                                                                                                     generation=2), severity="must")
    suite.add(begun("outage-backoff", "After a failure the next fetch waits.", backoff=[60, 60])
              .serve(200, status(503)).see(PERIOD + 1, fetches=2).see(PERIOD + 59, fetches=2).see(PERIOD + 61, fetches=3)
              .see(PERIOD + 119, fetches=3).see(PERIOD + 121, fetches=4))
    for identifier, value, pause in [("seconds", "120", 120), ("beyond-limit", "86400", 300), ("zero", "0", 30), ("word", "soon", 30),
                                     ("negative", "-1", 30)]:
        suite.add(begun(f"outage-retry-after-{identifier}", f"Retry-After: {value} makes the next fetch wait for {pause} s.")
                  .serve(200, status(503, ("Retry-After", value))).see(PERIOD + 1, fetches=2).see(PERIOD + pause - 1, fetches=2)
                  .see(PERIOD + pause + 1, fetches=3), "RFC 9110 section 10.2.3")
    suite.add(begun("outage-retry-after-date", "Retry-After may be a date.")
              .serve(200, status(503, ("Date", "Tue, 14 Nov 2023 22:13:20 GMT"), ("Retry-After", "Tue, 14 Nov 2023 22:15:20 GMT")))
              .see(PERIOD + 119, fetches=2).see(PERIOD + 121, fetches=3), "RFC 9110 section 10.2.3")
    suite.add(begun("outage-retry-after-tokens", "A pause that the issuer asks for delays tokens by ten seconds at most.")
              .serve(200, status(503, ("Retry-After", "120"))).see(PERIOD + 1, fetches=2)
              .ask(PERIOD + 5, "x", "keys_unavailable", fetches=2)
              .ask(PERIOD + 9, "x", "keys_unavailable", fetches=2).ask(PERIOD + 16, "x", "keys_unavailable", fetches=3),
              "RFC 9110 section 10.2.3", "hardening")
    suite.add(begun("outage-hanging", "A fetch that takes longer than its limit has failed, and its successor is not blocked.")
              .serve(200, ok("b", "max-age=300", after=1000)).see(PERIOD + 1, keys=["a"], fetches=2).see(PERIOD + 39, fetches=2)
              .serve(PERIOD + 39, ok("b", "max-age=300")).see(PERIOD + 41, keys=["b"], generation=2, fetches=3), severity="must")
    suite.add(begun("outage-slow", "A slow answer counts from the start of its fetch.")
              .serve(200, ok("a", "max-age=300", after=8)).see(PERIOD + 9, fetches=2).see(2 * PERIOD - 1, fetches=2)
              .see(2 * PERIOD + 1, fetches=3),
              "RFC 9111 section 4.2.3")
    suite.add(Scenario("outage-at-start", "A cache whose first fetch fails recovers.").serve(0, failure("connection"))
              .see(0, keys=[], fetches=1).serve(10, ok("a", "max-age=300")).see(29, keys=[], fetches=1).see(31, keys=["a"], generation=1,
                                                                                                      fetches=2), severity="must")
    suite.add(begun("outage-over", "Keys that were dropped come back with the next good answer.", stale_if_error=0)
              .serve(200, status(503)).see(310, keys=[], generation=2).serve(320, ok("a", "max-age=300"))
              .see(360, keys=["a"], generation=3),
              severity="must")
    return suite


def refused_documents():
    suite = ScenarioSuite("refused-documents", "Answers that are no usable set change nothing: the last set stays.", "RFC 7517 section 5")
    for name, severity in (("none", "should"), ("html", "must"), ("cut", "must"), ("error", "must"), ("twice", "should"), ("encryption",
                                                                                                                           "should"),
                           ("empty", "must")):
        suite.add(begun(f"refused-{name}", f"A document that is no usable set ({name}) does not replace the keys.")
                  .serve(100, ok(name, "max-age=300")).see(PERIOD + 1, keys=["a"], generation=1, fetches=2).ask(PERIOD + 2, "a", "key")
                  .see(PERIOD + 31, fetches=3).serve(600, ok("b", "max-age=300")).see(640, keys=["b"], generation=2), severity=severity)
        suite.add(Scenario(f"refused-first-{name}", f"A first document that is no usable set ({name}) leaves no keys.")
                  .serve(0, ok(name, "max-age=300")).see(0, keys=[], fetches=1).ask(0, "a", "keys_unavailable"), severity=severity)
    suite.add(begun("refused-one-key", "A broken key costs itself alone.").serve(100, ok("one-broken", "max-age=300"))
              .see(PERIOD + 1, keys=["b"], generation=2, fetches=2))
    suite.add(begun("refused-empty-revokes", "Where the profile says so, an empty set revokes all keys.", empty_set="revokes")
              .serve(100, ok("none", "max-age=300")).see(PERIOD + 1, keys=[], generation=2, fetches=2),
              "RFC 7517 section 5.1; SPIFFE bundles",
              "hardening")
    suite.add(begun("held-churn", "A set that removes more than half of the keys is held until a second fetch confirms it.", "a-b-c-d",
                    maximum_churn=0.5).serve(100, ok("a", "max-age=300"))
                    .see(PERIOD + 1, keys=["a", "b", "c", "d"], generation=1, fetches=2)
              .see(PERIOD + 29, fetches=2).see(PERIOD + 31, keys=["a"], generation=2, fetches=3), severity="hardening")
    suite.add(begun("held-then-back", "A held set that is not seen again changes nothing.", "a-b-c-d", maximum_churn=0.5)
              .serve(100, ok("a", "max-age=300")).see(PERIOD + 1, keys=["a", "b", "c", "d"], fetches=2)
              .serve(PERIOD + 2, ok("a-b-c-d", "max-age=300")).see(PERIOD + 31, keys=["a", "b", "c", "d"], generation=1, fetches=3),
              severity="hardening")
    suite.add(begun("held-half", "A set that removes half of the keys is accepted at once.", "a-b", maximum_churn=0.5)
              .serve(100, ok("a", "max-age=300")).see(PERIOD + 1, keys=["a"], generation=2, fetches=2), severity="hardening")
    return suite


def conditional():
    tag = ("ETag", '"v1"')
    suite = ScenarioSuite("conditional", "Conditional requests: a 304 confirms the set that its validator belongs to.",
                          "RFC 9110 section 13.1.2")
    suite.add(begun("conditional-confirmed", "A 304 confirms the set.", "a", "max-age=300", tag)
              .see(PERIOD + 1, keys=["a"], generation=1, fetches=2).serve(PERIOD + 2, status(503))
              .ask(PERIOD + END - 1, "a", "key").see(PERIOD + END + 1, keys=[]), severity="must")
    suite.add(begun("conditional-new-lifetime", "A 304 has its own lifetime.", "a", "max-age=300", tag)
              .serve(100, ok("a", "max-age=600", tag)).see(PERIOD + 1, fetches=2).see(PERIOD + 479, fetches=2).see(PERIOD + 481, fetches=3),
              "RFC 9111 section 4.3.4")
    suite.add(begun("conditional-changed", "Another tag brings another set.", "a", "max-age=300", tag)
              .serve(100, ok("a-b", "max-age=300", ("ETag", '"v2"')))
              .see(PERIOD + 1, keys=["a", "b"], generation=2, fetches=2), severity="must")
    suite.add(begun("conditional-tag-of-other-set", "The tag of a refused document is not sent.", "a", "max-age=300", tag)
              .serve(100, ok("html", "max-age=300", ("ETag", '"v2"'))).see(PERIOD + 1, keys=["a"], fetches=2)
              .serve(PERIOD + 2, ok("b", "max-age=300", ("ETag", '"v2"'))).see(PERIOD + 31, keys=["b"], generation=2, fetches=3),
              severity="must")
    suite.add(begun("conditional-unknown-key", "A 304 to a fetch that a token caused says that the key is unknown.", "a", "max-age=300",
                    tag)
              .ask(100, "x", "keys_unavailable", "unknown_key", fetches=2).ask(101, "x", "unknown_key", keys=["a"], generation=1))
    suite.add(Scenario("conditional-first", "A 304 to the first request is a failure.").serve(0, status(304)).see(0, keys=[], fetches=1)
              .serve(10, ok("a", "max-age=300")).see(31, keys=["a"], generation=1, fetches=2), severity="must")
    suite.add(begun("conditional-unasked", "A 304 to a request without a validator is a failure.").serve(100, status(304))
              .see(PERIOD + 1, keys=["a"], generation=1, fetches=2).see(PERIOD + 31, fetches=3).see(END + 1, keys=[]))
    suite.add(begun("conditional-after-end", "Keys that were dropped are not confirmed by a 304.", "a", "max-age=300", tag,
                    stale_if_error=0)
              .serve(100, status(503)).see(310, keys=[], generation=2).serve(311, ok("a", "max-age=300", tag))
              .see(370, keys=["a"], generation=3), severity="must")
    return suite


SUITES = [rotations, unknown_keys, outages, refused_documents, conditional]
