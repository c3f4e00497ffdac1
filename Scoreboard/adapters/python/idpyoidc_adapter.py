"""idpyoidc: the hooks of its server for DPoP, at the token endpoint and at a protected resource. The caller compares the thumbprint with
that of the access token."""

from frame import serve_requests
from idpyoidc.message import Message
from idpyoidc.server.oauth2.add_on.dpop import token_post_parse_request, userinfo_post_parse_request


def takes(request, proof):
    info = {"headers": {"dpop": proof}, "url": request.url, "method": request.method}
    if request.token:
        found = userinfo_post_parse_request(Message(), "client-1", None, {"token": request.token}, http_info=info)
    else:
        found = token_post_parse_request(Message(), "client-1", None, http_info=info)
    return found["dpop_jkt"]


serve_requests(takes, ["token", "scheme", "fields", "replay", "nonce", "iat", "algorithms"])
