"""An issuer's metadata: where its keys are, and when to look again."""

from .suite import ISSUER, Scenario, ScenarioSuite, failure, ok, status

PERIOD = 240


def of_issuer(identifier, why, **policy):
    return Scenario(identifier, why, {"issuer": ISSUER}, **policy)


def begun(identifier, why, **policy):
    """An issuer whose keys were found."""
    return (of_issuer(identifier, why, **policy).serve(0, openid=ok("metadata"), oauth=status(404), keys=ok("a", "max-age=300"))
            .see(0, keys=["a"], generation=1, fetches=1, requests=2))


def discovery():
    suite = ScenarioSuite("discovery", "The keys of an issuer, found by its metadata.", "OpenID Connect Discovery 1.0 section 4")
    suite.add(begun("discovery-openid", "The metadata is read once, then only the keys.").see(PERIOD + 1, fetches=2, requests=3)
              .see(2 * PERIOD + 1, fetches=3, requests=4))
    suite.add(of_issuer("discovery-oauth", "Where the first address has no metadata, the second is asked.")
              .serve(0, openid=status(404), oauth=ok("metadata"), keys=ok("a", "max-age=300")).see(0, keys=["a"], fetches=1, requests=3),
              "RFC 8414 section 3.1")
    suite.add(of_issuer("discovery-none", "Without metadata there are no keys.").serve(0, openid=status(404), oauth=status(404))
              .see(0, keys=[], fetches=1, requests=2).ask(0, "a", "keys_unavailable"), severity="must")
    for name, why in (("of-other", "names another issuer"), ("http", "names an address that is not https"), ("no-keys", "names no keys")):
        suite.add(of_issuer(f"discovery-{name}", f"Metadata that {why} is refused.")
                  .serve(0, openid=ok(f"metadata-{name}"), oauth=status(404), keys=ok("a", "max-age=300"))
                  .see(0, keys=[], fetches=1, requests=1)
                  .serve(5, openid=ok("metadata")).see(31, keys=["a"], generation=1, fetches=2),
                  "OpenID Connect Discovery 1.0 section 4.3; RFC 8414 section 3.3", "must")
    suite.add(of_issuer("discovery-html", "Metadata that is not JSON is refused.")
              .serve(0, openid=ok("html"), oauth=status(404), keys=ok("a"))
              .see(0, keys=[], fetches=1), severity="must")
    for identifier, answer in (("500", status(500)), ("connection", failure("connection")), ("429", status(429))):
        suite.add(of_issuer(f"discovery-{identifier}", "An issuer that fails is not asked at its second address.")
                  .serve(0, openid=answer, oauth=ok("metadata"), keys=ok("a", "max-age=300")).see(0, keys=[], fetches=1, requests=1),
                  severity="hardening")
    suite.add(begun("discovery-moved", "Keys that are not at their address are looked for by the metadata.")
              .serve(100, openid=ok("metadata-moved"), keys=status(404), moved=ok("b", "max-age=300"))
              .see(PERIOD + 1, keys=["b"], generation=2, fetches=2, requests=5).see(2 * PERIOD + 1, requests=6))
    suite.add(begun("discovery-moved-unknown-key", "A token that names an unknown key makes the cache look whether the keys have moved.")
              .serve(100, openid=ok("metadata-moved"), keys=ok("a", "max-age=300"), moved=ok("a-b", "max-age=300"))
              .ask(100, "b", "keys_unavailable", "key").see(101, keys=["a", "b"], generation=2, fetches=2, requests=5))
    suite.add(begun("discovery-not-moved", "Where the metadata is unchanged, the failure at the keys' address stays.")
              .serve(100, keys=status(500)).see(PERIOD + 1, keys=["a"], generation=1, fetches=2, requests=4))
    suite.add(begun("discovery-not-moved-again", "While the address of the keys fails, the metadata is asked once in ten seconds.")
              .serve(100, keys=status(500)).refresh(100).see(100, requests=4).refresh(101).see(101, requests=5)
              .refresh(105).see(105, requests=6).refresh(110).see(110, keys=["a"], generation=1, requests=8))
    suite.add(begun("discovery-old-keys", "Keys that are still served at their old address are followed within a day.",
                    lifetime=[60, 3600]).serve(100, openid=ok("metadata-moved"), moved=ok("b", "max-age=300"))
              .see(PERIOD + 1, keys=["a"], generation=1).see(86400 + PERIOD + 1, keys=["b"], generation=2))
    suite.add(begun("discovery-metadata-fails", "Metadata that fails does not cost keys that are there.")
              .serve(100, openid=status(500), oauth=status(500)).see(PERIOD + 1, keys=["a"], fetches=2, requests=3))
    return suite


SUITES = [discovery]
