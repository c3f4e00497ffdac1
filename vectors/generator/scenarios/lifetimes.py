"""How long a response is fresh, by its fields (RFC 9111), within the bounds of the policy: seen by when the next fetch begins."""

from .suite import Scenario, ScenarioSuite, ok

RULE = "RFC 9111 section 4.2"
DATE = ("Date", "Tue, 14 Nov 2023 22:13:20 GMT")
ROWS = [  # identifier, Cache-Control, further fields, lifetime within the bounds, clause, severity
    ("default", None, [], 300, RULE, "should"),
    ("max-age-300", "max-age=300", [], 300, "RFC 9111 section 5.2.2.1", "must"),
    ("max-age-600", "max-age=600", [], 600, "RFC 9111 section 5.2.2.1", "must"),
    ("max-age-3600", "max-age=3600", [], 3600, "RFC 9111 section 5.2.2.1", "must"),
    ("max-age-0", "max-age=0", [], 60, RULE, "should"), ("max-age-1", "max-age=1", [], 60, RULE, "should"),
    ("max-age-day", "max-age=86400", [], 3600, RULE, "should"), ("max-age-ten-years", "max-age=315360000", [], 3600, RULE, "should"),
    ("max-age-beyond-64-bit", "max-age=99999999999999999999", [], 3600, "RFC 9111 section 1.2.2", "must"),
    ("max-age-two-to-31", "max-age=2147483648", [], 3600, "RFC 9111 section 1.2.2", "must"),
    ("max-age-upper", "MAX-AGE=600", [], 600, "RFC 9111 section 5.2", "must"),
    ("max-age-quoted", 'max-age="600"', [], 600, "RFC 9111 section 5.2", "must"),
    ("max-age-zeros", "max-age=000600", [], 600, "RFC 9111 section 1.2.2", "should"),
    ("max-age-first", "max-age=600, public", [], 600, "RFC 9111 section 5.2", "must"),
    ("max-age-last", "public,max-age=600", [], 600, "RFC 9111 section 5.2", "must"),
    ("max-age-tabs", "public ,\tmax-age=600 ", [], 600, "RFC 9111 section 5.2", "must"),
    ("max-age-empty-elements", ",, max-age=600,,", [], 600, "RFC 9110 section 5.6.1", "must"),
    ("max-age-twice", "max-age=600, max-age=120", [], 120, "RFC 9111 section 4.2.1", "should"),
    ("max-age-negative", "max-age=-1", [], 300, "RFC 9111 section 4.2.1", "hardening"),
    ("max-age-word", "max-age=abc", [], 300, "RFC 9111 section 4.2.1", "hardening"),
    ("max-age-empty", "max-age=", [], 300, "RFC 9111 section 4.2.1", "hardening"),
    ("max-age-no-value", "max-age", [], 300, "RFC 9111 section 4.2.1", "hardening"),
    ("max-age-fraction", "max-age=600.5", [], 300, "RFC 9111 section 4.2.1", "hardening"),
    ("max-age-plus", "max-age=+600", [], 300, "RFC 9111 section 4.2.1", "hardening"),
    ("no-store", "no-store", [], 60, "RFC 9111 section 5.2.2.5", "should"), ("no-cache", "no-cache", [], 60, "RFC 9111 section 5.2.2.4",
                                                                             "should"),
    ("no-cache-and-max-age", "no-cache, max-age=600", [], 60, "RFC 9111 section 5.2.2.4", "should"),
    ("max-age-and-no-store", "max-age=600, no-store", [], 60, "RFC 9111 section 5.2.2.5", "should"),
    ("private", "private, max-age=600", [], 600, "RFC 9111 section 5.2.2.7", "must"),
    ("immutable", "max-age=600, immutable", [], 600, "RFC 9111 section 5.2.3", "must"),
    ("must-revalidate", "max-age=600, must-revalidate", [], 600, "RFC 9111 section 5.2.2.2", "must"),
    ("s-maxage", "s-maxage=600", [], 300, "RFC 9111 section 5.2.2.10", "must"),
    ("s-maxage-and-max-age", "s-maxage=1200, max-age=600", [], 600, "RFC 9111 section 5.2.2.10", "must"),
    ("unknown-directive", "x-max-age=1200, max-age=600", [], 600, "RFC 9111 section 5.2.3", "must"),
    ("two-fields", "public", [("Cache-Control", "max-age=600")], 600, "RFC 9110 section 5.3", "must"),
    ("two-fields-stricter", "max-age=600", [("Cache-Control", "no-cache")], 60, "RFC 9110 section 5.3", "should"),
    ("field-name-lower", None, [("cache-control", "max-age=600")], 600, "RFC 9110 section 5.1", "must"),
    ("age", "max-age=600", [("Age", "100")], 500, "RFC 9111 section 4.2.3", "must"),
    ("age-nearly-all", "max-age=600", [("Age", "590")], 60, "RFC 9111 section 4.2.3", "must"),
    ("age-beyond", "max-age=600", [("Age", "86400")], 60, "RFC 9111 section 4.2.3", "must"),
    ("age-word", "max-age=600", [("Age", "old")], 600, "RFC 9111 section 5.1", "hardening"),
    ("age-of-long-lifetime", "max-age=86400", [("Age", "85800")], 600, "RFC 9111 section 4.2.3", "must"),
    ("expires", None, [DATE, ("Expires", "Tue, 14 Nov 2023 22:23:20 GMT")], 600, "RFC 9111 section 5.3", "must"),
    ("expires-past", None, [DATE, ("Expires", "Tue, 14 Nov 2023 22:03:20 GMT")], 60, "RFC 9111 section 5.3", "must"),
    ("expires-zero", None, [DATE, ("Expires", "0")], 60, "RFC 9111 section 5.3", "must"),
    ("expires-minus-one", None, [DATE, ("Expires", "-1")], 60, "RFC 9111 section 5.3", "must"),
    ("expires-without-date", None, [("Expires", "Tue, 14 Nov 2023 22:23:20 GMT")], 300, "RFC 9111 section 5.3", "hardening"),
    ("expires-and-max-age", "max-age=600", [DATE, ("Expires", "Tue, 14 Nov 2023 22:15:20 GMT")], 600, "RFC 9111 section 5.3", "must"),
    ("expires-and-s-maxage", "s-maxage=120", [DATE, ("Expires", "Tue, 14 Nov 2023 22:23:20 GMT")], 600, "RFC 9111 section 5.3", "must"),
    ("pragma", None, [("Pragma", "no-cache")], 300, "RFC 9111 section 5.4", "hardening"),
]


def lifetimes():
    suite = ScenarioSuite("lifetimes", "How long a response is fresh, by its fields, seen by when the next fetch begins.", RULE)
    for identifier, cache, fields, lifetime, clause, severity in ROWS:
        due = lifetime * 4 // 5
        stated = "; ".join(([f"Cache-Control: {cache}"] if cache else []) + [f"{name}: {value}" for name, value in fields]) or "no field"
        scenario = Scenario(f"lifetime-{identifier}", f"With {stated}, the next fetch is due after 80 % of {lifetime} s.")
        scenario.serve(0, ok("a", cache, *fields)).ask(0, "a", "key", keys=["a"], generation=1, fetches=1)
        scenario.see(due - 1, fetches=1).see(due + 1, fetches=2, generation=1)
        suite.add(scenario, clause, severity)
    return suite


SUITES = [lifetimes]
