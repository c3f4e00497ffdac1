import Foundation
import FuzzInput
import IDaaSFlows
import JWKSCache
import JWTCore
import Synchronization

/// A tenant that gives the input's answers, in order, and its issuer, whose documents are also fuzzed in some calls.
final class FuzzedTenant: FlowTransport, DocumentTransport, Sendable {
    static let domain = "https://tenant.example"
    static let sessionToken = "session-token-of-the-fuzzer"
    static let idToken = String(
        decoding: Keys.token(
            Keys.es256, header: Array(#"{"alg":"ES256","kid":"es"}"#.utf8),
            payload: Array(
                #"{"iss":"\#(domain)/api/v1/oauth2","aud":"client-1","sub":"user-1","exp":1700003600,"iat":1700000000}"#.utf8)),
        as: UTF8.self)

    private let replies: [[UInt8]]
    private let state = Mutex((next: 0, log: [String](), isIssuerFuzzed: false))

    init(_ replies: [[UInt8]]) { self.replies = replies }

    var log: [String] { state.withLock { $0.log } }

    func write(_ line: String) { state.withLock { $0.log.append(line) } }

    /// From now on the issuer's documents are the input's answers, too.
    func fuzzIssuer() { state.withLock { $0.isIssuerFuzzed = true } }

    func send(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let reply = try next()
        let type = reply.type.map { [HeaderField("Content-Type", $0), HeaderField("Date", "Tue, 14 Nov 2023 22:15:00 GMT")] } ?? []
        return ReceivedResponse(status: reply.status, fields: type, body: reply.body)
    }

    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        if state.withLock({ $0.isIssuerFuzzed }) {
            let reply = try next()
            return ReceivedResponse(status: reply.status, body: reply.body)
        }
        let issuer = Self.domain + "/api/v1/oauth2"
        let document =
            request.url.hasSuffix("/keys")
            ? #"{"keys":[\#(Keys.jwk(Keys.es256))]}"#
            : #"{"issuer":"\#(issuer)","jwks_uri":"\#(issuer)/keys","id_token_signing_alg_values_supported":["ES256"]}"#
        return ReceivedResponse(status: 200, body: Array(document.utf8))
    }

    private func next() throws(RequestFailure) -> (status: Int, type: String?, body: [UInt8]) {
        let place = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        guard place < replies.count else { throw RequestFailure(.connection) }
        let reply = replies[place], head = reply.first ?? 0
        let statuses = [200, 200, 200, 201, 204, 400, 401, 403, 404, 429, 500, 502, 503, 302]
        let type = head & 0x10 == 0 ? "application/json" : head & 0x20 == 0 ? "text/html" : nil
        return (statuses[Int(head & 0xf) % statuses.count], type, Array(reply.dropFirst()))
    }
}
