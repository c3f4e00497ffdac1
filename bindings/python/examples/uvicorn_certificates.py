"""uvicorn that tells an application the certificate of its client, by the TLS extension of ASGI:

    uvicorn.run(app, http=WithCertificates, ssl_certfile=…, ssl_keyfile=…, ssl_ca_certs=…, ssl_cert_reqs=ssl.CERT_OPTIONAL)
"""

import ssl

from uvicorn.protocols.http.h11_impl import H11Protocol


class WithCertificates(H11Protocol):
    def connection_made(self, transport):
        super().connection_made(transport)
        connection, app = transport.get_extra_info("ssl_object"), self.app
        certificate = connection and connection.getpeercert(binary_form=True)
        chain = [ssl.DER_cert_to_PEM_cert(certificate)] if certificate else []

        async def telling(scope, receive, send):
            if scope["type"] == "http":
                scope["extensions"] = {**(scope.get("extensions") or {}), "tls": {"client_cert_chain": chain}}
            await app(scope, receive, send)

        self.app = telling
