"""Holds values that only a login provides, for requests that need them. The running server issues all of them, as to any client."""
import collections
import itertools
import json
import urllib.parse
import urllib.request

import login
from document import Device, Service


class Wallet:
    """One device of one client, with its own mobile numbers, and the values that the server issued to it."""

    def __init__(self, base, client, development):
        self.service = Service(base)
        self.device = Device(self.service, login.device_fields(client))
        self.development = development
        self.mobiles = (f"+86-137{index:08}" for index in itertools.count())
        self.pictures = collections.OrderedDict()
        self.bearers = {}
        self.given = set()
        self.session_token = None
        _, key = self.device.call("publicKey")
        self.public_key = key["public_key"]

    def solved(self):
        """A captcha that was not yet submitted, with its position and its mobile number."""
        _, challenge = self.device.call("captcha")
        place = login.point(challenge["originalImageBase64"], challenge["jigsawImageBase64"])
        return {"token": challenge["token"], "point_json": place, "sender": next(self.mobiles)}

    def captcha_token(self):
        mobile = next(self.mobiles)
        return {"captcha_token": login.captcha_token(self.device, mobile), "mobile": mobile, "type": "LOGIN_SMS"}

    def code(self):
        mobile = next(self.mobiles)
        login.send_code(self.device, mobile)
        return {"mobile": mobile, "verify_code": self.newest_code(mobile)}

    def newest_code(self, mobile):
        return login.code(self.service.base, self.development, mobile)

    def new_session(self):
        return login.log_in(self.device, self.development, next(self.mobiles))

    def renewed(self):
        """Fresh tokens of a session that is kept for requests which do not end it."""
        status, tokens = 400, None
        if self.session_token is not None:
            status, tokens = self.device.call("refresh", credential=("sessionToken", self.session_token))
        # Use of a session token that was renewed more than 30 s ago ends its session.
        if status != 200:
            tokens = self.new_session()
        self.session_token = tokens["session_token"]
        return tokens

    def simulated(self, path, members):
        """The answer of the simulated WeChat app or carrier."""
        request = urllib.request.Request(
            f"{self.service.base}/__simulators/{path}", json.dumps(members).encode(), {"Content-Type": "application/json"}
        )
        return json.loads(urllib.request.urlopen(request, timeout=120).read())

    def wechat_code(self):
        answer = self.simulated("wechat/app", {"appid": "wx0000000000000000", "state": "s", "user": next(self.mobiles)})
        return urllib.parse.parse_qs(urllib.parse.urlsplit(answer["callback"]).query)["code"][0]

    def carrier_token(self):
        phone = {"bundle_id": "wire", "operator": "CM", "generation": 4, "mobile": next(self.mobiles).split("-")[1]}
        return self.simulated("carrier/token", phone)["token"]

    def signature(self, session_token):
        return login.signature(self.public_key, session_token)

    def remember(self, name, body, header, answer):
        """Stores the values of an answer, to recognise requests that a link created from it."""
        if name == "captcha":
            self.pictures[answer["token"]] = (answer["originalImageBase64"], answer["jigsawImageBase64"])
            self.given.add(answer["token"])
            while len(self.pictures) > 64:
                self.pictures.popitem(last=False)
        elif name == "sendSMS":
            self.given.add(body["mobile"])
        elif name == "listSessions":
            for row in answer["sessions"]:
                self.bearers[row["id"]] = header["Authorization"]
                self.given.add(row["id"])
        else:
            if name == "refresh" and header.get("session-token") == self.session_token:
                self.session_token = answer["session_token"]
            self.given.update(answer[member] for member in ("captcha_token", "session_token") if member in answer)
            self.given.update(f"Bearer {answer[member]}" for member in ("id_token",) if member in answer)
