internal import Foundation
public import IDaaSFlows
internal import IDaaSWire
import JWKSCache

/// A program at a PC, whose user logs in with a password and confirms on the phone. Speaks the wire protocol: flows are the phone's.
public struct PC: Sendable {
    private let domain: String
    private let client: String
    private let device: String
    private let transport: any FlowTransport

    /// - Parameter device: the fingerprint. A state token belongs to it.
    public init(domain: String, client: String, device: String, transport: any FlowTransport) {
        self.domain = domain
        self.client = client
        self.device = device
        self.transport = transport
    }

    /// A login with a right password, which waits for its second factor.
    public struct FirstFactor: Sendable {
        let stateToken: String
    }

    /// A request that waits for the phone's answer.
    public struct Request: Sendable {
        let id: String
        let login: FirstFactor
        /// What the PC shows, for the user to type at the phone.
        public let matchCode: String?
    }

    /// The tokens of a login.
    public struct Tokens: Hashable, Sendable {
        public let sessionToken: String
        public let idToken: String
    }

    /// Password login of a user with a bound phone.
    ///
    /// - Throws: ``Refusal``.
    public func logIn(_ userName: String, password: String) async throws -> FirstFactor {
        let reply = try await post(WirePath.passwordLogin, [WireMember.userName: userName, WireMember.password: password])
        guard reply[WireMember.status] == LoginStatus.secondFactor else { throw Refusal(reply) }
        return FirstFactor(stateToken: try Self.member(WireMember.stateToken, of: reply))
    }

    /// Asks the user's phone. Cancels an earlier request of the user.
    public func askPhone(_ login: FirstFactor) async throws -> Request {
        let reply = try await post(WirePath.bioInitiate, [:], login.field)
        return Request(
            id: try Self.member(WireMember.authenticationRequest, of: reply), login: login, matchCode: reply[WireMember.matchCode])
    }

    /// Asks for the phone's answer.
    ///
    /// - Throws: ``Refusal`` while there is none, for a denial, and the second time.
    public func poll(_ request: Request) async throws -> Tokens {
        try Self.tokens(try await post(WirePath.bioPoll, [WireMember.authenticationRequest: request.id], request.login.field))
    }

    /// Exchanges the session token for new tokens.
    public func renew(_ tokens: Tokens) async throws -> Tokens {
        try Self.tokens(try await post(WirePath.refresh, [:], HeaderField(WireHeader.sessionToken, tokens.sessionToken)))
    }

    /// An answer without what the call is for.
    public struct Refusal: Error, Hashable, CustomStringConvertible {
        /// The server's code; empty for a success of another kind.
        public let code: String

        init(_ reply: [String: String]) { code = reply[WireMember.errorCode] ?? "" }

        public var description: String { "the PC is refused: \(code.isEmpty ? "no code" : code)" }
    }

    /// - Returns: the text members of the answer.
    private func post(_ path: String, _ body: [String: String], _ more: HeaderField...) async throws -> [String: String] {
        let fields = [
            HeaderField("Content-Type", "application/json;charset=utf8"), HeaderField(WireHeader.clientID, client),
            HeaderField(WireHeader.operatingSystem, "Linux 6.1"), HeaderField(WireHeader.deviceFingerprint, device),
            HeaderField(WireHeader.agent, "pc/1"),
        ]
        let answer = try await transport.send(
            OutgoingRequest(
                "POST", url: domain + path, fields: fields + more, body: Array(try JSONEncoder().encode(body)),
                timeLimit: .seconds(30)))
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] ?? [:]
        let reply = object.compactMapValues { $0 as? String }
        guard answer.status == 200 else { throw Refusal(reply) }
        return reply
    }

    private static func tokens(_ reply: [String: String]) throws -> Tokens {
        Tokens(sessionToken: try member(WireMember.sessionToken, of: reply), idToken: try member(WireMember.idToken, of: reply))
    }

    private static func member(_ name: String, of reply: [String: String]) throws -> String {
        guard let value = reply[name] else { throw Refusal(reply) }
        return value
    }
}

extension PC.FirstFactor {
    fileprivate var field: HeaderField { HeaderField(WireHeader.stateToken, stateToken) }
}
