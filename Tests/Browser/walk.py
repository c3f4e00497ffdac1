"""Logs in on the login page as people do, and attacks it. A browser, the command `assay` as the phone, and an application that asks for
the login. Each step leaves a picture in the folder of artefacts.

Usage: walk.py ASSAY BASE_URL ISSUER DEVELOPMENT_TOKEN SECURE_URL ARTEFACTS REDIRECT_URI
"""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import facts
from browser import Browser, Keys
from facts import fact
from phone import Phone
from relying_party import RelyingParty

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Wire"))
import login  # noqa: E402
import slider  # noqa: E402

assay, base, issuer, development, secure, artefacts, redirect = sys.argv[1:8]
PASSWORD = "correct horse battery staple"
JANE, JOHN = "+86-13912340001", "+86-13912340002"
work = tempfile.TemporaryDirectory()
ahead = 0  # the seconds by which the server's clock was moved


def page_of(client="shop", **query):
    return f"{base}/login?{urllib.parse.urlencode({'client_id': client, **query})}"


def browser(**settings):
    return Browser(artefacts, **settings)


def place(person):
    """The pixels by which the piece has to move, by the two pictures that the page shows."""
    return slider.position(*(base64.b64decode(picture) for picture in person.images()))


def solve(person, move):
    """Moves the piece to its place. A picture that was misread is followed by another, as on the page."""
    for _ in range(5):
        person.until_panel("slider")
        before = person.images()
        move(person, place(person))
        person.until(lambda page: page.panel != "slider" or page.images() != before, what="an answer to the slider")
        if person.panel != "slider":
            return
    raise AssertionError("the slider was not solved in five pictures")


def by_hand(person, pixels):
    person.drag(pixels)


def by_keys(person, pixels):
    fours, ones = divmod(pixels, 4)
    person.until(lambda page: page.focus == "handle", what="the focus on the slider")
    person.keys(*[Keys.ARROW_RIGHT] * fours)
    for _ in range(ones):
        person.evaluate(
            "arguments[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true, bubbles: true}))", person.find("handle"))
    person.keys(Keys.ENTER)


def enter(person, user="jane", password=PASSWORD):
    person.until_panel("start")
    person.type("user", user)
    person.type("secret", password)
    person.keys(Keys.ENTER)


def passwords(party):
    """A wrong password, then the right one of a user without a phone: the application gets a code, and a token for it."""
    with browser() as person:
        person.open(party.request())
        person.until_panel("start")
        fact("the page has the application's name", "Shop" in person.text("client") and "Shop" in person.driver.title)
        fact("the keyboard starts at the user name", person.focus == "user")
        person.picture("password")
        enter(person, "john", "wrong")
        fact("a wrong password is said", "password" in person.until_text("error").lower())
        fact("and not kept", person.find("secret").get_attribute("value") == "")
        person.picture("password-wrong")
        enter(person, "john")
        answer = party.callback()
        fact("the application has its state again", answer.get("state") == party.state and answer.get("iss", issuer) == issuer)
        status, refused = party.redeem(answer["code"], verifier="x" * 43)
        fact("a code needs its verifier", status == 400 and refused["error"] == "invalid_grant")
        person.open(party.request())
        enter(person, "john")
        answer = party.callback()
        claims = redeemed(party, answer["code"])
        fact("a password is one factor", claims["amr"] == ["pwd"])
        status, _ = party.redeem(answer["code"])
        fact("a code works once", status == 400)
        fact("nothing was refused by the page's policy", not violations(person))


def redeemed(party, code):
    """The claims of the id_token for a code, verified by `assay verify`."""
    status, tokens = party.redeem(code)
    fact(f"the code gives tokens: {status} {tokens}", status == 200 and tokens["token_type"].lower() == "bearer")
    keys = pathlib.Path(work.name) / "keys.json"
    keys.write_bytes(urllib.request.urlopen(party.metadata["jwks_uri"], timeout=30).read())
    verified = subprocess.run(
        [
            assay, "verify", "--keys", str(keys), "--issuer", issuer, "--audience", party.client, "--now", str(int(time.time()) + ahead),
            tokens["id_token"],
        ],
        capture_output=True, text=True,
    )
    fact(f"the id_token verifies: {verified.stderr}", verified.returncode == 0)
    body = tokens["id_token"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    fact("it has the nonce", claims["nonce"] == party.nonce)
    return claims


def to_the_phone(person, party):
    """Until the page shows a number."""
    person.open(party.request())
    enter(person)
    person.until_panel("factor")
    person.press("phone")
    person.until_panel("confirm")
    digits = person.until_text("match")
    fact("the number has two digits", len(digits) == 2 and digits.isdigit())
    return digits


def approved(party, phone):
    with browser() as person:
        digits = to_the_phone(person, party)
        person.picture("confirm")
        code, request, _ = phone.mfa("pending")
        fact("the phone sees the login", code == 0 and request["status"] == "pending" and request["clientName"] == "Shop")
        fact("and has to type the number", request["matchRequired"])
        code, answer, said = phone.mfa("approve", "--match", digits, "--yes")
        fact(f"the phone approves: {said}", code == 0 and answer["status"] == "approved")
        claims = redeemed(party, party.callback()["code"])
        fact("the login has two factors", {"pwd", "hwk", "user"} <= set(claims["amr"]) and claims["acr"] and claims["auth_time"] <= time.time())
        person.until(lambda page: page.driver.find_element("id", "application"), what="the application")
        person.picture("application")
        fact("an approval works once", phone.mfa("approve", "--match", digits, "--yes")[0] == 1)


def denied(party, phone):
    with browser() as person:
        to_the_phone(person, party)
        code, answer, said = phone.mfa("deny", "--yes")
        fact(f"the phone denies: {said}", code == 0 and answer["status"] == "denied")
        person.until_panel("denied")
        person.picture("denied")
        person.find("denied").find_element("css selector", "button").click()
        fact("the user can try again", person.until_panel("factor") == "factor")


def guessed(party, phone):
    with browser() as person:
        digits = to_the_phone(person, party)
        wrong = f"{(int(digits) + 1) % 100:02}"
        fact("a guessed number is refused", phone.mfa("approve", "--match", wrong, "--yes")[0] == 1)
        fact("and ends the request", person.until_panel("denied") == "denied")


def expired(party):
    with browser() as person:
        to_the_phone(person, party)
        advance(121)
        person.until_panel("expired")
        person.picture("expired")


def advance(seconds):
    global ahead
    ahead += seconds
    body = json.dumps({"advance": seconds}).encode()
    request = urllib.request.Request(f"{base}/__dev/clock", body, {"X-Assay-Dev": development, "Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=30).close()


def code_for(person, mobile):
    """Waits until a code was sent, and reads it."""
    person.until(lambda page: page.panel == "sms" and page.text("status"), what="the message")
    return login.code(base, development, mobile)


def by_message(party):
    """The slider dragged to a wrong place, then to the right one."""
    with browser() as person:
        person.open(party.request())
        person.until_panel("start")
        person.find("start").find_element("css selector", "[data-panel=sms]").click()
        person.until_panel("sms")
        person.type("mobile", JOHN)
        person.press("send")
        person.until_panel("slider")
        person.picture("slider")
        before = person.images()
        person.drag((place(person) + 100) % 250 + 5)
        person.until(lambda page: page.images() != before, what="another picture")
        fact("a wrong place brings another picture", person.text("error") != "")
        solve(person, by_hand)
        code = code_for(person, JOHN)
        person.picture("sms")
        person.type("digits", f"{(int(code) + 1) % 1_000_000:06}")
        person.press("redeem")
        fact("a wrong code is said", person.until_text("error") != "")
        person.type("digits", code)
        person.press("redeem")
        fact("an SMS is one factor", redeemed(party, party.callback()["code"])["amr"] == ["sms"])


def narrow_and_chinese(party):
    """A phone's screen of 320 pixels, in Chinese, with the keyboard alone."""
    with browser(language="zh-CN", width=320, height=640) as person:
        person.open(party.request())
        person.until_panel("start")
        fact("the page is in Chinese", person.driver.find_element("tag name", "html").get_attribute("lang") == "zh")
        fact("its texts too", "登录" in person.driver.title and "密码" in person.find("start").text)
        fits(person, "narrow-password")
        person.keys(Keys.TAB, Keys.TAB, Keys.TAB)
        person.keys(Keys.ENTER)
        person.until_panel("sms")
        person.keys(JANE, Keys.ENTER)
        person.until_panel("slider")
        fits(person, "narrow-slider")
        person.keys(Keys.ESCAPE)
        fact("Escape closes the slider", person.until_panel("sms") == "sms" and person.focus == "mobile")
        person.keys(Keys.ENTER)
        solve(person, by_keys)
        code = code_for(person, JANE)
        fits(person, "narrow-sms")
        fact("the keyboard is at the code", person.focus == "digits")
        person.keys(code, Keys.ENTER)
        party.callback()
        person.open(page_of(lang="zh"))
        person.until_panel("start")
        person.press("language")
        person.until(lambda page: page.driver.find_element("tag name", "html").get_attribute("lang") == "en", what="English")
        fact("the language can be changed", "Log in to" in person.driver.title)


def fits(person, name):
    person.picture(name)
    width = person.evaluate("return [document.documentElement.scrollWidth, innerWidth]")
    fact(f"{name} needs no scrolling sideways: {width}", width[0] <= width[1])


def second_factor_by_message(party):
    with browser() as person:
        person.open(party.request())
        enter(person)
        person.until_panel("factor")
        person.picture("factor")
        person.press("message")
        person.until_panel("sms")
        fact("the page hints at the number", "****" in person.text("hint") and JANE not in person.driver.page_source)
        person.type("mobile", JOHN)
        person.press("send")
        solve(person, by_hand)
        fact("the code goes to no other number", person.until_text("error") != "")
        person.type("mobile", JANE)
        person.press("send")
        solve(person, by_hand)
        person.type("digits", code_for(person, JANE))
        person.press("redeem")
        claims = redeemed(party, party.callback()["code"])
        fact("an SMS is the second factor", {"pwd", "sms"} <= set(claims["amr"]))


def without_network(party):
    """The network goes while the page waits for the phone, and comes back."""
    with browser() as person:
        to_the_phone(person, party)
        person.driver.set_network_conditions(offline=True, latency=0, throughput=0)
        fact("a lost network is said", person.until_text("error") != "")
        fact("and the page waits on", person.panel == "confirm")
        person.driver.delete_network_conditions()
        person.until(lambda page: page.text("error") == "", what="the network")
        person.press("leave")
        fact("the user can leave", person.until_panel("factor") == "factor")


def violations(person):
    return [line for line in person.console() if "Content Security Policy" in line or "TrustedHTML" in line]


def script_in_names():
    """Names with script in them: of the application, and in every part of the address."""
    with browser() as person:
        for client in ("markup", "accent"):
            person.open(page_of(client, request="\"><script>document.title='run'</script>", lang="en\"><script>document.title='run'</script>"))
            person.until_panel("start")
            shown = person.text("client")
            fact(f"the name of {client} is text: {shown!r}", "document.title='run'" in shown)
            fact("nothing of it ran", "run" != person.driver.title)
            attributes = person.evaluate("return [...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())")
            fact("nothing of it became an attribute", not {"onerror", "onload", "onfocus", "autofocus"} & set(attributes))
            fact("nothing of it became an element", person.evaluate("return document.scripts.length + document.images.length") == 3)
            person.picture(f"script-in-{client}")
        fact("the policy had nothing to refuse", not violations(person))
        person.open(f"{base}/login?client_id=%3Cscript%3Ealert(1)%3C/script%3E")
        fact("an unknown application is not repeated", "alert(1)" not in person.driver.page_source)


def script_in_pushes(party):
    """Script in what the phone and the page show of one login: the name of an application, and its text."""
    phone = Phone(assay, base, "markup", development, pathlib.Path(work.name) / "phone-markup")
    phone.log_in(JANE)
    fact("the phone is bound", phone.mfa("bind", "--yes")[0] == 0)
    party.client = "markup"
    texts = {
        "en-US": "Order 17 <img src=x onerror=alert(1)>", "zh-CN": "订单17 <script>alert(1)</script>",
        # A quotation mark with a combining accent, which is one character to a program and two to a browser.
        "en-GB": '"\u0301 onfocus=alert(1) autofocus x=">\u0301<svg onload=alert(1)>',
    }
    for language, text in texts.items():
        script_in_push(party, phone, language, text)
    with browser() as person:
        person.open(party.request(binding_message=texts["en-US"]))
        person.until_panel("start")
        address = person.driver.current_url
    with browser() as person:
        person.open(address)
        person.until_panel("start")
        fact("another browser does not see the text", not person.driver.find_elements("id", "binding"))
        person.open(party.request(binding_message="x" * 65))
        fact("a text that is too long goes back", party.callback()["error"] == "invalid_binding_message")
    party.client = "shop"


def script_in_push(party, phone, language, text):
    with browser(language=language) as person:
        person.open(party.request(binding_message=text))
        enter(person)
        person.until_panel("factor")
        shown = person.driver.find_element("tag name", "html").get_attribute("lang")
        fact(f"the page is in {language}", language.startswith(shown))
        fact("the text waits for its step", not person.find("binding").is_displayed())
        person.press("phone")
        person.until_panel("confirm")
        digits = person.until_text("match")
        binding = person.evaluate("return document.getElementById('binding').textContent")
        fact(f"the text is on the page: {binding!r}", binding == text and person.find("binding").is_displayed())
        code, request, said = phone.mfa("pending")
        fact(f"and on the phone: {request} {said}", code == 0 and request["bindingMessage"] == text)
        fact("the name too", "document.title='run'" in person.text("client") and "document.title='run'" in request["clientName"])
        fact("nothing of them ran", person.driver.title != "run" and person.dialogue is None)
        attributes = person.evaluate("return [...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())")
        fact("nothing of them became an attribute", not {"onerror", "onload", "onfocus", "autofocus"} & set(attributes))
        elements = person.evaluate("return ['script', 'img', 'svg'].map(name => document.querySelectorAll(name).length)")
        fact(f"nothing of them became an element: {elements}", elements == [1, 2, 0])
        fact("the policy had nothing to refuse", not violations(person))
        person.picture(f"script-in-push-{language}")
        code, answer, said = phone.mfa("approve", "--match", digits, "--yes")
        fact(f"the phone approves: {said}", code == 0 and answer["status"] == "approved")
        fact("the application gets its code", party.callback().get("code"))


def injected_script():
    """What would run if a text got into the page after all: nothing."""
    with browser() as person:
        person.open(page_of())
        person.until_panel("start")
        person.console()
        person.evaluate("""
            const attempt = (work) => { try { work(); } catch (refused) {} };
            attempt(() => { const script = document.createElement('script'); script.append("document.title = 'run'"); document.body.append(script); });
            attempt(() => document.body.insertAdjacentHTML('beforeend', "<img src=x onerror=\\"document.title='run'\\">"));
            attempt(() => { const image = new Image(); image.setAttribute('onerror', "document.title='run'"); image.src = 'x'; document.body.append(image); });
        """)
        person.wait_for("const done = arguments[0]; fetch('http://localhost:9/').then(() => done('sent'), () => done('kept'))")
        fact("an injected script does not run", person.driver.title != "run")
        fact("the policy refused it", len(violations(person)) >= 2)
        kept = person.evaluate("return [document.cookie, localStorage.length, sessionStorage.length]")
        fact(f"scripts find no cookie and no storage: {kept}", kept == ["", 0, 0])


def framed(party):
    """A page of an attacker shows the login page in a frame."""
    party.pages["/frame"] = f'<!DOCTYPE html><title>frame</title><iframe id="frame" src="{page_of()}"></iframe>'
    with browser() as person:
        person.open(f"http://localhost:{party.port}/frame")
        person.driver.switch_to.frame("frame")
        fact("the login page is not framed", not person.driver.find_elements("id", "page"))
        person.driver.switch_to.default_content()
        said = " ".join(person.console())
        fact(f"the browser says why: {said}", "frame-ancestors" in said or "X-Frame-Options" in said or "refused to connect" in said.lower())


def cross_site_posts(party):
    """A page of an attacker posts with the user's cookie, in every way in which a page can."""
    party.pages["/attack"] = "<!DOCTYPE html><title>attack</title>"
    with browser() as person:
        person.open(page_of())
        person.until_panel("start")
        cookie = next(value for name, value in person.cookies().items() if name.endswith("assay-device"))
        person.open(f"http://localhost:{party.port}/attack")
        script = """
            const [address, headers, done] = arguments;
            fetch(address, {method: 'POST', mode: headers ? 'cors' : 'no-cors', credentials: 'include', headers: headers || {},
                body: '{"user_name":"jane","password":"x"}'}).then(answer => done(answer.type), () => done('refused'))
        """
        address = f"{base}/api/v2/sdk/login"
        fact("a post with the page's fields is refused", person.wait_for(script, address, {"X-client-id": "shop", "X-agent": "a"}) == "refused")
        fact("a post without them cannot be read", person.wait_for(script, address, None) in ("opaque", "refused"))
    fields = {"X-client-id": "shop", "X-agent": "a", "X-operating-sys-version": "b", "Content-Type": "application/json"}
    carried = {"Cookie": f"{cookie['name']}={cookie['value']}"}
    fact("without its fields a post has no effect", posted({**carried, "Content-Type": "text/plain"}) == (400, "IDAAS.SDK.COMMON.1001"))
    fact("a post that another site causes has no device", posted({**carried, **fields, "Sec-Fetch-Site": "cross-site"})[1] == "IDAAS.SDK.COMMON.1003")
    fact("nor has one of a neighbour", posted({**carried, **fields, "Sec-Fetch-Site": "same-site"})[1] == "IDAAS.SDK.COMMON.1003")
    fact("the page itself has one", posted({**carried, **fields, "Sec-Fetch-Site": "same-origin"})[1] == "IDAAS.SDK.LOGIN.1005")
    fact("no device without the cookie", posted(fields)[1] == "IDAAS.SDK.COMMON.1003")


def posted(fields):
    body = b'{"user_name":"nobody","password":"x"}'
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{base}/api/v2/sdk/login", body, fields), timeout=30) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.loads(refusal.read()).get("error_code")


def open_redirects(party):
    foreign = f"http://localhost:{party.port}/stolen"
    with browser() as person:
        for changes in ({"redirect_uri": foreign}, {"redirect_uri": party.redirect + "/../stolen"}, {"redirect_uri": "javascript:alert(1)"}):
            person.open(party.request(**changes))
            fact(f"{changes} leads nowhere", urllib.parse.urlsplit(person.driver.current_url).netloc == urllib.parse.urlsplit(base).netloc)
        person.open(page_of(request="made-up", redirect_uri=foreign))
        enter(person, "john")
        fact("an unknown authorization request shows an error and redirects nowhere", person.until_text("error") != "" and person.driver.current_url.startswith(base))
    fact("no code went anywhere", party.callbacks.empty())


def cookies_and_fields(party):
    """The cookies and the header fields over TLS."""
    with browser(trusts_everything=True) as person:
        person.open(f"{secure}/login?client_id=shop")
        person.until_panel("start")
        cookies = person.cookies()
        fact(f"there is one cookie: {list(cookies)}", list(cookies) == ["__Host-assay-device"])
        before = cookies["__Host-assay-device"]["value"]
        person.open(f"{secure}/login?client_id=shop")
        fact("it stays", person.cookies()["__Host-assay-device"]["value"] == before)
        person.open(f"{secure}/api/v1/oauth2/authorize?{party.request().partition('?')[2]}")
        person.until_panel("start")
        cookies = person.cookies()
        fact(f"a request has a cookie of its own: {list(cookies)}", set(cookies) == {"__Host-assay-device", "__Host-assay-request"})
        for name, cookie in cookies.items():
            flags = cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Lax" and cookie["path"] == "/"
            fact(f"{name} has every flag: {cookie}", flags and not cookie["domain"].startswith("."))
    with urllib.request.urlopen(page_of(), timeout=30) as answer:
        fields = answer.headers
    policy = dict(part.strip().partition(" ")[::2] for part in fields["Content-Security-Policy"].split(";"))
    fact("nothing is allowed by default", policy["default-src"] == "'none'" and policy["frame-ancestors"] == "'none'")
    fact("scripts have a nonce", policy["script-src"].startswith("'nonce-") and "unsafe" not in fields["Content-Security-Policy"])
    fact("forms and bases go nowhere", policy["form-action"] == "'none'" and policy["base-uri"] == "'none'")
    for name, value in (("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store")):
        fact(f"{name} is {value}", fields[name] == value)
    with urllib.request.urlopen(page_of(), timeout=30) as answer:
        fact("each page has its own nonce", answer.headers["Content-Security-Policy"] != fields["Content-Security-Policy"])


def main():
    party = RelyingParty("shop", int(urllib.parse.urlsplit(redirect).port))
    party.discover(issuer)
    phone = Phone(assay, base, "shop", development, pathlib.Path(work.name) / "phone")
    script_in_names()
    injected_script()
    cookies_and_fields(party)
    framed(party)
    cross_site_posts(party)
    passwords(party)
    open_redirects(party)
    by_message(party)
    narrow_and_chinese(party)
    phone.log_in(JANE)
    code, bound, said = phone.mfa("bind", "--yes")
    fact(f"the phone is bound: {said}", code == 0 and bound["status"] == "bound")
    approved(party, phone)
    script_in_pushes(party)
    denied(party, phone)
    advance(600)
    guessed(party, phone)
    second_factor_by_message(party)
    without_network(party)
    expired(party)
    party.close()


facts.closing(main)
