"""A template as `assay_issuer`, with `assay_tenants`. Each is a function of a lab."""
import threading
import urllib.request

from documents import Documents
from exchange import ask, bearer
from nginx_processes import Nginx
from program import eventually

ISSUER = "https://login.example/{}/v2.0"
HTTP = """
    assay_issuer "ISSUER";
    assay_tenants red blue slow;
    assay_keys_url "KEYS/{tenant}";
    assay_audiences client-1;
    MORE
    server {
        listen 127.0.0.1:PORT reuseport;
        assay on;
        add_header X-Assay-Code $assay_code always;
        location / { proxy_pass http://UPSTREAM; }
        location /red { assay_tenants red; proxy_pass http://UPSTREAM; }
        location /alone { assay_issuer https://login.example/red/v2.0; assay_keys_url KEYS/red; proxy_pass http://UPSTREAM; }
    }
""".replace("ISSUER", ISSUER.format("{tenant}"))


class Tenants(Documents):
    """Tenant `red` has the keys of the lab's issuer, `blue` has none, and `slow` answers as `red` does once it is told to."""

    def __init__(self, lab):
        super().__init__()
        self.may_answer = threading.Event()
        self.keys = f"{lab.provider.issuer}/jwks"
        self.documents["/blue"] = '{"keys": []}'
        self.answers["/red"] = lambda handler: handler.reply(200, self.current())
        self.answers["/slow"] = self.late

    def current(self):
        return urllib.request.urlopen(self.keys, timeout=30).read().decode()

    def late(self, handler):
        self.may_answer.wait(30)
        handler.reply(200, self.current())

    def count(self, tenant):
        return [path for path, _ in self.asked].count(f"/{tenant}")


def served(lab, keys, name, workers=2, more="assay_wait 20s;"):
    return Nginx(lab, f"tenants-{name}", HTTP.replace("KEYS", keys.url).replace("MORE", more), f"worker_processes {workers};\n")


def answers(nginx, lab, tenant, target="/"):
    answer = ask(nginx.port, target, [bearer(lab.provider.token(iss=ISSUER.format(tenant)))])
    return answer and (answer.status, answer.field("x-assay-code"))


def tenants_share_a_location_and_no_key(lab):
    with Tenants(lab) as keys, served(lab, keys, "shared", more="") as nginx:
        # The location with an issuer of its own fetches at the start.
        assert {path for path, _ in keys.asked} <= {"/red"}, keys.asked
        assert answers(nginx, lab, "blue") == (503, "keys_unavailable")
        for _ in range(12):
            assert answers(nginx, lab, "red") == (200, "ok")
            assert answers(nginx, lab, "green") == (401, "issuer_mismatch")
        # One fetch for both workers.
        assert (keys.count("red"), keys.count("green"), keys.count("slow")) == (1, 0, 0), keys.asked
        eventually(lambda: f'the keys of "{ISSUER.format("blue")}"' in nginx.program.output(), 60, "a line about tenant blue")
        assert ISSUER.format("red") not in nginx.program.output(), nginx.program.output()


def a_location_may_have_fewer_tenants_or_an_issuer_of_its_own(lab):
    with Tenants(lab) as keys, served(lab, keys, "fewer") as nginx:
        for target in ("/red", "/alone"):
            assert answers(nginx, lab, "red", target) == (200, "ok")
            assert answers(nginx, lab, "blue", target) == (401, "issuer_mismatch")


def a_slow_tenant_delays_no_other(lab):
    with Tenants(lab) as keys, served(lab, keys, "slow", workers=1) as nginx:
        waiting = []
        thread = threading.Thread(target=lambda: waiting.append(answers(nginx, lab, "slow")))
        thread.start()
        eventually(lambda: keys.count("slow") == 1, 60, "the request for the slow tenant's keys")
        assert answers(nginx, lab, "red") == (200, "ok") and not waiting
        keys.may_answer.set()
        thread.join(60)
        assert waiting == [(200, "ok")], waiting


def a_rotation_reaches_all_workers_of_its_tenant_alone(lab):
    with lab.with_own_provider() as lab, Tenants(lab) as keys, served(lab, keys, "rotated") as nginx:
        keys.may_answer.set()
        for tenant in ("red", "slow"):
            eventually(lambda: [answers(nginx, lab, tenant) for _ in range(12)] == [(200, "ok")] * 12, 60, f"keys of {tenant}")
        old, count = lab.provider.token(iss=ISSUER.format("red")), keys.count("slow")
        first = lab.provider.token().split(".")[0]
        lab.provider.ask("rotate")
        assert lab.provider.token().split(".")[0] != first
        assert [answers(nginx, lab, "red") for _ in range(12)] == [(200, "ok")] * 12
        assert ask(nginx.port, "/", [bearer(old)]).status == 200
        assert keys.count("slow") == count, keys.asked


ALL = [
    tenants_share_a_location_and_no_key, a_location_may_have_fewer_tenants_or_an_issuer_of_its_own, a_slow_tenant_delays_no_other,
    a_rotation_reaches_all_workers_of_its_tenant_alone,
]
