import AssayTesting
import JWKSTestSupport
import JWTTestSupport

/// An issuer on loopback whose keys a test rotates. It also has answers that a client must refuse.
struct KeyServer {
    let server: LoopbackServer
    var issuer: String { "http://127.0.0.1:\(server.port)" }

    init() throws {
        server = try LoopbackServer { _ in .close }
        publish(0)
    }

    /// Publishes the keys at `places` from now on.
    func publish(_ places: Int...) {
        let keys = KeyPool.set(places), port = server.port
        server.answer { request in
            switch request.path {
            case "/jwks": .json(keys)
            case "/.well-known/openid-configuration", "/other/.well-known/openid-configuration": .json(Self.metadata(port))
            case "/large": .json(String(repeating: " ", count: 300_000) + keys)
            case "/html": .json("<html>")
            case "/hang", "/hang/.well-known/openid-configuration": .hang
            case "/moved": .redirect(to: "/jwks")
            case "/redirect": .redirect(to: "http://localhost:\(port)/jwks")
            default: .status(404)
            }
        }
    }

    /// A token of this issuer, signed with the key at `place`.
    func token(_ place: Int) -> String {
        KeyPool.forges[place].token(TokenForge.idToken.replacing("https://idp.example", with: issuer))
    }

    private static func metadata(_ port: UInt16) -> String {
        #"{"issuer":"http://127.0.0.1:\#(port)","jwks_uri":"http://127.0.0.1:\#(port)/jwks"}"#
    }
}
