import Glibc
import LoopbackServer

/// Publishes keys, signs tokens with them, and runs commands.
final class Provider {
    let issuer: String
    private let server: LoopbackServer
    private var keys: PublishedKeys
    private var isUp = true

    init() throws {
        keys = try PublishedKeys()
        server = try LoopbackServer { _ in .status(503) }
        issuer = "http://127.0.0.1:\(server.port)"
        publish()
    }

    /// Runs a command: `token`, `token KID`, `claims JSON`, `rotate`, `remove KID`, `down`, `up` or `requests`.
    func answer(to words: [String]) -> String {
        switch (words.first, words.dropFirst().first) {
        case ("claims", .some):
            let claims = words.dropFirst().joined(separator: " ")
            return keys.token(with: claims, issuer: issuer, now: Int(time(nil))) ?? "no such object"
        case ("token", let name): return keys.token(under: name, issuer: issuer, now: Int(time(nil))) ?? "no such key"
        case ("rotate", nil): return changed(keys.rotate())
        case ("remove", let name?): return changed(keys.remove(name) ? name : nil)
        case ("down", nil): isUp = false
        case ("up", nil): isUp = true
        case ("requests", nil): return "\(server.count(of: "/jwks"))"
        default: return "no such command"
        }
        return changed(words[0])
    }

    private func changed(_ answer: String?) -> String {
        publish()
        return answer ?? "no such key"
    }

    /// Makes the server answer with the current state.
    private func publish() {
        let metadata = #"{"issuer":"\#(issuer)","jwks_uri":"\#(issuer)/jwks","id_token_signing_alg_values_supported":["ES256","RS256"]}"#
        let document = keys.document
        let tag = "\"\(keys.version)\""
        let fields = [("ETag", tag), ("Cache-Control", "max-age=300")]
        server.answer { [isUp] request in
            guard isUp else { return .status(503) }
            switch request.path {
            case "/.well-known/openid-configuration": return .json(metadata)
            case "/jwks": return request.field("If-None-Match") == tag ? .status(304, fields) : .json(document, fields)
            default: return .status(404)
            }
        }
    }
}
