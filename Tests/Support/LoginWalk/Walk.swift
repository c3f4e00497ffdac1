internal import Foundation
internal import HTTPGuard
internal import IDaaSFlows
internal import IDaaSWire
internal import JWTCore
internal import LoginSupport

/// One user's walk through a tenant, step by step, with the time of each step. A failed check ends the program with exit code 1.
final class Walk: Sendable {
    let domain: String
    let client: String
    let mobile = "+86-138\(String(format: "%08d", Int.random(in: 0..<100_000_000)))"
    let configuration: FlowConfiguration
    let environment: FlowEnvironment
    let flows: Flows
    let outbox: Outbox
    let administration: AdministrationCommand

    init(
        _ configuration: FlowConfiguration, _ environment: FlowEnvironment, developmentToken: String, administration: AdministrationCommand
    ) {
        domain = configuration.domain
        client = configuration.clientID
        self.administration = administration
        self.configuration = configuration
        self.environment = environment
        flows = Flows(configuration, environment)
        outbox = Outbox(domain: domain, token: developmentToken, transport: environment.transport)
    }

    /// Returns the id_token that the login by SMS has in the end.
    func run() async throws -> String {
        try await weChat()
        try await oneClick()
        try await secondFactor()
        try await step("countries with numbers that log in") { "\(try await flows.areaCodes.list().get().definitions.count) countries" }
        let pass = try await step("slider: two pictures fetched, solved, checked") {
            try await flows.sms.solveSlider(mobile: mobile, presenter: SolvingPresenter()).get()
        }
        _ = try await step("SMS requested, with the proof of the solved slider") { try await flows.sms.sendSMS(pass).get() }
        guard let code = try await outbox.code(for: mobile) else { throw Wrong("the outbox has no message") }
        let session = try await step("logged in with the code of the SMS") { try await flows.sms.logIn(mobile: mobile, code: code).get() }
        let user = try await step("  its id_token verified: discovery, keys, signature, claims") {
            try await flows.identity.userInfo(of: session.idToken).get()
        }
        guard user.mobile == mobile else { throw Wrong("the token is of \(user.mobile ?? "nobody")") }
        try await refusals(session.idToken)
        let renewed = try await step("session refreshed: new tokens") { try await flows.sessions.renew().get() }
        guard renewed.sessionToken != session.sessionToken else { throw Wrong("the session token did not change") }
        let idToken = try await rotation(renewed.idToken)
        _ = try await step("logged out") {
            guard case .loggedOut = await flows.sessions.logOut() else { throw Wrong("not logged out") }
        }
        guard case .signedOut = await flows.sessions.current() else { throw Wrong("the session is still there") }
        return idToken
    }

    /// Tokens that the server does not accept any more, or never did.
    private func refusals(_ token: String) async throws {
        let parts = token.split(separator: ".").map(String.init)
        let other = parts[1].replacing(parts[1].prefix(40).suffix(1), with: parts[1].contains("A") ? "B" : "A", maxReplacements: 1)
        try await refused("tampered with", [parts[0], other, parts[2]].joined(separator: "."), "103", .signatureInvalid, flows)
        var later = environment
        later.clock = ShiftedClock(ahead: 3 * 3_600)
        later.keyTransport = DatelessDocuments(environment.keyTransport)
        try await refused("three hours later", token, "106", .expired, Flows(configuration, later))
        let stranger = try FlowConfiguration(domain: domain, clientID: "another-client")
        try await refused("for another client", token, "107", .audienceMismatch, Flows(stranger, environment))
    }

    /// A key is replaced immediately: its tokens stay valid. Then it is revoked: its tokens become invalid. Returns the token of the new key.
    private func rotation(_ old: String) async throws -> String {
        let kid = try Self.keyID(of: old)
        try administration.run("keys", "rotate", "--now")
        let renewed = try await step("signing key rotated; session refreshed") { try await flows.sessions.renew().get() }
        guard try Self.keyID(of: renewed.idToken) != kid else { throw Wrong("the new token has the old key") }
        _ = try await step("  the token of the new key verified") { try await flows.identity.userInfo(of: renewed.idToken).get() }
        _ = try await step("  the token of the old key verified") { try await flows.identity.userInfo(of: old).get() }
        try administration.run("keys", "revoke", kid)
        let fresh = Flows(configuration, environment)
        try await refused("of the old key, after its revocation", old, "102", .unknownKey, fresh)
        _ = try await step("  the token of the new key verified") { try await fresh.identity.userInfo(of: renewed.idToken).get() }
        return renewed.idToken
    }

    private func refused(
        _ what: String, _ token: String, _ legacyCode: String, _ code: VerificationError.Code, _ flows: Flows
    ) async throws {
        try await step("  refused: the token \(what)") {
            let outcome = await flows.identity.verify(token)
            guard outcome.legacyCode == legacyCode, outcome.verificationError?.code == code else {
                throw Wrong("expected \(legacyCode) \(code.name), got \(outcome)")
            }
            return "\(code.name), SDK code \(legacyCode)"
        }
    }

    /// Runs a step, and prints its duration and its result.
    @discardableResult
    func step<Result>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        do {
            let result = try await body()
            let milliseconds = (clock.now - start) / .milliseconds(1)
            let said = (result as? String).map { "  \($0)" } ?? ""
            let line = "  \(name.padding(toLength: 62, withPad: " ", startingAt: 0)) \(String(format: "%8.1f ms", milliseconds))\(said)\n"
            FileHandle.standardOutput.write(Data(line.utf8))
            return result
        } catch {
            throw Wrong("\(name): \(error)")
        }
    }

    /// Two functions: Swift 6.3.1 miscompiles a single function that makes the claims, may throw, and lends a view of them.
    private static func keyID(of token: String) throws -> String { keyID(of: try UnverifiedClaims(reading: token.utf8.span)) }

    private static func keyID(of claims: borrowing UnverifiedClaims) -> String { claims.header["kid"]?.string?.string ?? "" }
}

/// A check failed.
struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
