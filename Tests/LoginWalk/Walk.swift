#if HTTP
internal import Foundation
internal import HTTPGuard
internal import IDaaSFlows
internal import IDaaSHTTP
internal import JWTCore
internal import LoginSupport

/// One person's way through a tenant, step by step, each with its time. What is not as it should be ends the program with exit code 1.
final class Walk: Sendable {
    let domain: String
    let client: String
    let mobile = "+86-138\(String(format: "%08d", Int.random(in: 0..<100_000_000)))"
    let configuration: FlowConfiguration
    let environment: FlowEnvironment
    let flows: Flows
    let outbox: Outbox
    /// The server's administration: a command and the database's options.
    let administration: [String]

    init(_ configuration: FlowConfiguration, _ environment: FlowEnvironment, developmentToken: String, administration: [String]) {
        domain = configuration.domain
        client = configuration.clientID
        self.administration = administration
        self.configuration = configuration
        self.environment = environment
        flows = Flows(configuration, environment)
        outbox = Outbox(domain: domain, token: developmentToken, transport: environment.transport)
    }

    func run() async throws {
        try await step("area codes") { "\(try await flows.areaCodes.list().get().definitions.count) countries" }
        let pass = try await step("slider: two pictures fetched, solved, checked") {
            try await flows.sms.solveSlider(mobile: mobile, SolvingPresenter()).get()
        }
        _ = try await step("SMS asked for") { try await flows.sms.sendSMS(pass).get() }
        guard let code = try await outbox.code(for: mobile) else { throw Wrong("the outbox has no message") }
        let session = try await step("login with the code") { try await flows.sms.logIn(mobile: mobile, code: code).get() }
        let user = try await step("id_token verified: discovery, keys, signature, claims") {
            try await flows.identity.userInfo(of: session.idToken).get()
        }
        guard user.mobile == mobile else { throw Wrong("the token is of \(user.mobile ?? "nobody")") }
        try await refusals(session.idToken)
        let renewed = try await step("session refreshed") { try await flows.sessions.renew().get() }
        guard renewed.sessionToken != session.sessionToken else { throw Wrong("the session token did not change") }
        try await rotation(renewed.idToken)
        _ = try await step("logged out") {
            guard case .loggedOut = await flows.sessions.logOut() else { throw Wrong("not logged out") }
        }
        guard case .signedOut = await flows.sessions.current() else { throw Wrong("the session is still there") }
    }

    /// What is no longer, or never was, the server's token.
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

    /// A key is replaced at once: what it signed stays good. Then it is revoked: what it signed is good no more.
    private func rotation(_ old: String) async throws {
        let kid = try Self.keyID(of: old)
        try administer("keys", "rotate", "--now")
        let renewed = try await step("signing key rotated; session refreshed under the new key") { try await flows.sessions.renew().get() }
        guard try Self.keyID(of: renewed.idToken) != kid else { throw Wrong("the new token has the old key") }
        _ = try await step("  the new token verifies") { try await flows.identity.userInfo(of: renewed.idToken).get() }
        _ = try await step("  the old one too") { try await flows.identity.userInfo(of: old).get() }
        try administer("keys", "revoke", kid)
        let fresh = Flows(configuration, environment)
        try await refused("of the revoked key", old, "102", .unknownKey, fresh)
        _ = try await step("  the new token verifies") { try await fresh.identity.userInfo(of: renewed.idToken).get() }
    }

    private func refused(
        _ what: String, _ token: String, _ legacyCode: String, _ code: VerificationError.Code, _ flows: Flows
    ) async throws {
        try await step("  the token \(what)") {
            let outcome = await flows.identity.verify(token)
            guard outcome.legacyCode == legacyCode, outcome.verificationError?.code == code else {
                throw Wrong("expected \(legacyCode) \(code.name), got \(outcome)")
            }
            return "\(code.name), SDK code \(legacyCode)"
        }
    }

    /// Runs a step, and prints how long it took and what it says.
    @discardableResult
    private func step<Result>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
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

    private func administer(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: administration[0])
        process.arguments = ["idaas"] + arguments + administration.dropFirst()
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Wrong("assay idaas \(arguments.joined(separator: " ")) failed") }
    }

    /// In two functions: Swift 6.3.1 makes broken code of one that makes the claims, may throw, and lends a view of them.
    private static func keyID(of token: String) throws -> String { keyID(of: try UnverifiedClaims(reading: token.utf8.span)) }

    private static func keyID(of claims: borrowing UnverifiedClaims) -> String { claims.header["kid"]?.string?.string ?? "" }
}

/// Something was not as it should be.
struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
#endif
