"""What only a login can bring, ready for requests that need it: everything is had from the running server as any client has it."""
import collections
import itertools

import login
from document import Device, Service


class Wallet:
    """One device of one client, with numbers of its own, and what the server gave it."""

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
        """A captcha that was not handed in, its place, and whom it is for."""
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
        """The tokens of a session that is kept for requests which do not end it."""
        status, tokens = 400, None
        if self.session_token is not None:
            status, tokens = self.device.call("refresh", credential=("sessionToken", self.session_token))
        # A token that was renewed more than 30 s ago ends its session.
        if status != 200:
            tokens = self.new_session()
        self.session_token = tokens["session_token"]
        return tokens

    def signature(self, session_token):
        return login.signature(self.public_key, session_token)

    def remember(self, name, body, header, answer):
        """Keeps what an answer gave, so that requests which a link leads to are known."""
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
