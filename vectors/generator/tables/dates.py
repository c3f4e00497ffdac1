"""Each claim with a date, at each distance from its limit, in each notation of a number; the verdict is calculated with fractions."""

from fractions import Fraction

from ..encoding import Raw
from ..keys import ed_key
from ..suite import ABSENT, NOW, Suite, claims, token

CLAIMS = {  # claim: identifier, code of a token beyond the limit, clause, severity
    "exp": ("expired", "RFC 7519 section 4.1.4", "must"),
    "nbf": ("not_yet_valid", "RFC 7519 section 4.1.5", "must"),
    "iat": ("issued_in_future", "RFC 7519 section 4.1.6", "hardening"),
}
# RFC 7519 section 4.1.4 allows a leeway of "no more than a few minutes", and does not ask for one.
LONGEST_LEEWAY = 300
DISTANCES = [Fraction(text) for text in ("-86400", "-1", "-0.5", "-0.25", "0", "0.25", "0.5", "1", "86400")]


def plain(value):
    """The decimal notation without an exponent; the denominators here are 1, 2 and 4."""
    whole, rest = divmod(value, 1)
    return str(whole) if rest == 0 else f"{whole}.{str(int(rest * 100)).rstrip('0')}"


def shifted(value, places):
    """The digits with the point moved to the left by so many places, to be written beside an exponent."""
    text = plain(value)
    whole, _, fraction = text.partition(".")
    digits = whole + fraction
    point = len(whole) - places
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    if point <= 0:
        return "0." + "0" * -point + digits
    return f"{digits[:point]}.{digits[point:]}"


NOTATIONS = [  # identifier, text of a number of this value
    ("plain", plain),
    ("fraction-zeros", lambda value: plain(value) + (".000" if value.denominator == 1 else "000")),
    ("exponent-9", lambda value: shifted(value, 9) + "e9"),
    ("exponent-plus-3", lambda value: shifted(value, 3) + "E+3"),
    ("exponent-zero", lambda value: plain(value) + "e0"),
    ("exponent-minus-6", lambda value: shifted(value, -6) + "e-6"),
    ("exponent-padded", lambda value: shifted(value, 1) + "e+0001"),
    ("less-than-one", lambda value: shifted(value, 10) + "e10"),
]


def is_refused(claim, value, now, leeway):
    """Whether `now` is beyond the limit that the claim sets."""
    if claim == "exp":
        return now >= value + leeway
    return value > now + leeway


def severity_of(claim, value, now, notation, is_valid):
    """RFC 7519 requires a verdict where neither a leeway nor a clock that is a little off could change it."""
    if CLAIMS[claim][2] == "hardening" and not is_valid:
        return "hardening"
    left = value - now if claim == "exp" else now - value  # seconds for which the claim still holds, or has held
    if is_valid:
        return "must" if left >= 1 and notation in ("plain", "fraction-zeros") else "should"
    return "must" if left <= -LONGEST_LEEWAY else "should"


def dates(name, now, leeway, description):
    key = ed_key("ed25519-1")
    suite = Suite(name, description, [key.jwk()], {"leeway": leeway}, now=float(now) if now.denominator > 1 else int(now),
                  reference="RFC 7519 section 2")
    for claim, (code, clause, _) in CLAIMS.items():
        limit = now - leeway if claim == "exp" else now + leeway
        for distance in DISTANCES:
            for notation, write in NOTATIONS:
                value = limit + distance
                text = write(value)
                expect = code if is_refused(claim, value, now, leeway) else "valid"
                where = plain(abs(distance)).replace(".", "-") + ("-before" if distance < 0 else "-after")
                changes = {"iat": ABSENT, claim: Raw(text.encode())}
                suite.add(f"{name}-{claim}-{where}-{notation}", token(key, claims(**changes)), expect,
                          f"The claim {claim} is {text}, at {plain(now)} with a leeway of {leeway} s.", clause,
                          severity_of(claim, value, now, notation, expect == "valid"))
    return suite


def dates_exact():
    return dates("dates", Fraction(NOW), 0, "Dates at each distance from the limit, in each notation, without leeway.")


def dates_with_leeway():
    return dates("dates-leeway", Fraction(NOW) + Fraction(1, 2), 60, "The same with a leeway, at a time with a fraction.")


SUITES = [dates_exact, dates_with_leeway]
