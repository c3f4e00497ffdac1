"""Attacks by tokens in several places. `/places` takes a token from four of them. Each is a function of a gateway."""
from exchange import ask, bearer
from expectations import identity, passed, plain, refused, stopped

# The gateways that remove a token which the application shall not get, and what they cannot remove it from.
REMOVING = {"haproxy": ["query"], "envoy-http": ["query", "cookie"], "envoy-grpc": [], "envoy-module": []}


def places(token):
    """A request with the token in each place: its target and its fields."""
    return {
        "authorization": ("/places", [bearer(token)]), "cookie": ("/places", [("Cookie", f"a=1; session={token}; b=2")]),
        "header": ("/places", [("X-Token", token)]), "query": (f"/places?a=1&access_token={token}&b=2", []),
    }


def each_configured_place_holds_a_token(gateway):
    token = gateway.lab.provider.token()
    for place, (target, fields) in places(token).items():
        arrived = passed(gateway, target, fields)
        if place not in REMOVING.get(gateway.name, places("")):
            assert token not in str(arrived), (place, "the application got the token", arrived)
    for target, fields in places(gateway.lab.forged(token)).values():
        refused(gateway, 401, "signature_invalid", target, fields)


def tokens_in_two_places_are_400(gateway):
    token = gateway.lab.provider.token()
    for second in (token, gateway.lab.provider.token(sub="other"), "junk"):
        mine, others = places(token), places(second)
        for place, (target, fields) in mine.items():
            for other, (another, more) in others.items():
                if place == other:
                    continue
                target_of_both = target if "?" in target else another
                refused(gateway, 400, "several_tokens", target_of_both, [*fields, *more])
                stopped(gateway, target_of_both, [*more, *fields])


def one_place_holds_one_token(gateway):
    """Two fields, two cookies, two parameters, two schemes: two readers could take different ones, so it is 400 if they are equal, too."""
    token = gateway.lab.provider.token()
    for other in (token, "junk"):
        for target, fields in [
            ("/places", [("Cookie", f"session={token}; session={other}")]),
            ("/places", [("Cookie", f"session={other}; a=1; session={token}")]),
            (f"/places?access_token={token}&access_token={other}", []), (f"/places?access_token={token}&access%5Ftoken={other}", []),
            (f"/places?%61ccess_token={other}&access_token={token}", []),
            ("/orders", [("Authorization", f"Bearer {token}, Bearer {other}")]),
            ("/orders", [("Authorization", f"Basic YTpi, Bearer {token}")]),
            ("/orders", [("Authorization", f"Bearer {token}, Basic YTpi")]),
        ]:
            refused(gateway, 400, "several_tokens", target, fields)
        for fields in [
            [bearer(token), bearer(other)], [bearer(other), bearer(token)], [("X-Token", token), ("X-Token", other)],
            [("Authorization", "Basic YTpi"), bearer(token)], [bearer(token), ("authorization", "Basic YTpi")],
            [bearer(token), ("AUTHORIZATION", f"bearer {other}")], [("X_Token", token)],
            [("X-Token", f"{token}, {other}")], [("X-Token", f"{token},{other}")],
        ]:
            stopped(gateway, "/places", fields)
        for fields in ([("X-Token", token), ("X_Token", other)], [("x_token", other), ("X-TOKEN", token)]):
            answer = ask(gateway.port, "/places", fields)
            names = [plain(name) for name, _ in answer.arrived()["fields"]] if answer.status == 200 else []
            assert answer.status in (200, 400) and names.count("x-token") < 2, (fields, answer)
        # Cookies of two fields are one list (RFC 9113 section 8.2.3), and some gateways join them.
        stopped(gateway, "/places", [("Cookie", f"session={token}"), ("Cookie", f"session={other}")])


def a_token_in_another_place_is_no_token(gateway):
    token = gateway.lab.provider.token()
    for target, field in [
        (f"/orders?access_token={token}", ("X-Other", "1")), ("/orders", ("Cookie", f"session={token}")), ("/orders", ("X-Token", token)),
        ("/orders", ("Authorization", f"Basic {token}")), ("/orders", ("X-Authorization", f"Bearer {token}")),
        ("/orders", ("Proxy-Authorization", f"Bearer {token}")), ("/orders", ("Authorization", token)),
        ("/orders", ("Authorization", f"Bearer{token}")), ("/orders", ("WWW-Authenticate", f"Bearer {token}")),
        (f"/places?a=?access_token={token}", ("X-Other", "1")),
        ("/places", ("Cookie", f"Session={token}")), ("/places", ("Cookie", f"xsession={token}")),
        ("/places", ("Cookie2", f"session={token}")), ("/places", ("Set-Cookie", f"session={token}")),
    ]:
        refused(gateway, 401, "missing_token", target, [field])


# To one reader it is a part of a cookie, to another the cookie of a second field, under each name that PHP takes for `session`.
COOKIES_BEHIND_A_COMMA = [
    "a=1,session={}", "a=1, session={}", "session={}, session={}", "b=2; a=1,\tsession={}", "a=1,session[]={}", "a=1, session[0]={}",
    "a=1,b=2,session[a]={}; c=3", "a,session={}", "a, session[]={}", ",session={}", "a=1,session ={}",
]


def a_cookie_behind_a_comma_is_refused(gateway):
    token = gateway.lab.provider.token()
    for cookies in COOKIES_BEHIND_A_COMMA:
        refused(gateway, 400, "several_tokens", "/places", [("Cookie", cookies.replace("{}", token))])


# PHP makes an underscore of a dot, a blank and a bracket; others ignore case, and separate by a semicolon.
ALIKE_PARAMETERS = [
    "Access_token={}", "access_token[]={}", "access.token={}", "access%20token={}", "access+token={}", "access%5Btoken={}",
    "%20access_token={}", "access_token%5B1%5D={}", "a=1;access_token={}", "a=1;ACCESS.token={}", "access_token=x&access.token={}",
    "access_token={}&access.token=x", "a;access_token={}", "a;b;access%5Ftoken[]={}", ";access_token={}", "a&b;access.token={}",
    "access_token={}&access_token[]%=x", "access_token[%zz]={}", "access_token={}&access_token%00x=x", "a;access_token[]%={}",
]
ALIKE_COOKIES = ["session[]={}", "session[0]={}", "session=x; session[]={}"]


def a_name_that_another_reader_takes_for_the_tokens_is_refused(gateway):
    token = gateway.lab.provider.token()
    for query in ALIKE_PARAMETERS:
        refused(gateway, 400, "several_tokens", "/places?" + query.replace("{}", token))
    for cookies in ALIKE_COOKIES:
        refused(gateway, 400, "several_tokens", "/places", [("Cookie", cookies.replace("{}", token))])


def a_name_that_only_begins_like_the_tokens_is_another(gateway):
    token = gateway.lab.provider.token()
    for cookies in ("a=1,session", "a=1,sessions=x", "a=1,xsession=x", "a,b=session", "a=1,Session=x", "a=1,session[=x", "a=session=x"):
        passed(gateway, "/places", [bearer(token), ("Cookie", cookies)])
    for query in ("a=1;access_tokens=x", "a;xaccess_token=x", "a=access_token", "a=b;c=access_token=x"):
        passed(gateway, "/places?" + query, [bearer(token)])


def an_empty_place_is_none(gateway):
    token = gateway.lab.provider.token()
    for target, fields in (("/places?access_token=", []), ("/places?a&access_token", []), ("/places", [("Cookie", "session=")])):
        passed(gateway, target, [bearer(token), *fields])
        refused(gateway, 401, "missing_token", target, fields)


def a_token_in_another_place_does_not_count(gateway):
    """In a place that is not configured, a token of any issuer is neither accepted nor in the way."""
    token = gateway.lab.provider.token()
    for other in (gateway.lab.provider.token(sub="evil"), "junk"):
        for target, fields in [
            (f"/orders?access_token={other}", []), ("/orders", [("Cookie", f"session={other}")]), ("/orders", [("X-Token", other)]),
            ("/orders", [("X-Authorization", f"Bearer {other}")]),
        ]:
            assert identity(passed(gateway, target, [bearer(token), *fields]))["x-auth-subject"] == ["jane"], (target, fields)


ALL = [
    each_configured_place_holds_a_token, tokens_in_two_places_are_400, one_place_holds_one_token, a_token_in_another_place_is_no_token,
    a_cookie_behind_a_comma_is_refused, a_name_that_another_reader_takes_for_the_tokens_is_refused,
    a_name_that_only_begins_like_the_tokens_is_another, an_empty_place_is_none,
    a_token_in_another_place_does_not_count,
]
