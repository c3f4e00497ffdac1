import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Secrets

/// A phone with software keys, and a tenant that checks what the phone signs.
struct PhoneTenant: Sendable {
    /// The tenant's record of the phone.
    struct Record: Sendable {
        var key: P256PublicKey?
        var challenges = 0
        /// What was signed and found valid, by the path it came to.
        var accepted: [String] = []
        var pending = PhoneTenant.request
    }

    static let request =
        #"{"random":"r-1","clientId":"shop","clientName":"华为云","created_at":"1700000050000","expires_in":90,"ip_region":"192.0.2.0/24"}"#

    let tenant: Tenant
    let verifier: ScriptedVerifier
    let keyClock = ManualClock()
    let keys: FileBiometricKeyStore
    let record = Guarded(Record())
    private let folder: TemporaryFolder

    var server: ScriptedTenant { tenant.server }
    var biometrics: BiometricMFA { tenant.flows.biometrics }

    /// - Parameter other: a phone whose keys and session this one shares, as after a restart of the app.
    init(after other: PhoneTenant? = nil, _ change: (inout FlowConfiguration) -> Void = { _ in }) throws {
        folder = try other?.folder ?? TemporaryFolder()
        verifier = other?.verifier ?? ScriptedVerifier()
        keys = FileBiometricKeyStore(path: folder.path + "/keys", verifier: verifier, clock: keyClock)
        tenant = try Tenant(store: other?.tenant.store ?? MemorySessionStore(), keys: keys, change)
        if let other { record.withLock { $0 = other.record.withLock { $0 } } }
        serve()
    }

    var keysPath: String { folder.path + "/keys" }

    private func serve() {
        let record = record
        server.answer(WirePath.bioDevice) { request in
            if request.method == "GET" {
                let isBound = record.withLock { $0.key != nil }
                return .data(isBound ? #"{"bound":true,"key_id":"k","bound_at":"1700000000000"}"# : #"{"bound":false}"#)
            }
            let key = request.body("public_key").flatMap { Data(base64Encoded: $0) }.flatMap { P256PublicKey(document: Array($0)) }
            guard let key, let text = Self.signed(request, by: key, client: "client-1", decision: "bind") else {
                return .refusal("IDAAS.SDK.MFA.1009")
            }
            record.withLock {
                $0.key = key
                $0.accepted.append("bind \(text)")
            }
            return .data("true")
        }
        server.answer(WirePath.bioChallenge) { _ in
            let number = record.withLock { record in
                record.challenges += 1
                return record.challenges
            }
            return .data(#"{"challenge":"c-\#(number)","expires_in":120}"#)
        }
        server.answer(WirePath.bioUnbind) { request in
            guard let key = record.withLock({ $0.key }) else { return .refusal("IDAAS.SDK.MFA.1005") }
            guard let text = Self.signed(request, by: key, client: "client-1", decision: "unbind") else {
                return .refusal("IDAAS.SDK.MFA.1009")
            }
            record.withLock {
                $0.key = nil
                $0.accepted.append("unbind \(text)")
            }
            return .data("true")
        }
        server.answer(WirePath.bioPending) { _ in .data(record.withLock { $0.pending }) }
        server.answer(WirePath.bioRespond) { request in
            let random = request.body("random") ?? "r-1"
            guard let key = record.withLock({ $0.key }), random == "r-1",
                let text = Self.signed(request, by: key, client: "shop", decision: request.body("decision") ?? "approve", challenge: random)
            else { return .refusal("IDAAS.SDK.MFA.1009") }
            record.withLock {
                $0.accepted.append("respond \(text)")
                $0.pending = "null"
            }
            return .data("true")
        }
    }

    /// The text that a request's signature covers, if the signature is valid for it.
    private static func signed(
        _ request: OutgoingRequest, by key: P256PublicKey, client: String, decision: String, challenge: String? = nil
    ) -> String? {
        let challenge = challenge ?? request.body("challenge") ?? ""
        let text =
            request.body("sig_version") == "1"
            ? ["IDAAS-BIO-1", challenge, client, "u-1", decision, request.body("uv") ?? ""].joined(separator: "\n") : challenge
        guard let signature = request.body("signature").flatMap({ Data(base64Encoded: $0) }),
            key.isValid(Array(signature), of: Array(text.utf8))
        else { return nil }
        return text.replacing("\n", with: " ")
    }

    /// Binds the phone to the usual user.
    @discardableResult
    func bound(_ userID: String = "jane") async throws -> Self {
        let outcome = await biometrics.bind(userID: userID, idToken: Tenant.usualToken)
        guard case .bound = outcome else { throw outcome.failure ?? FlowError(.cancelled) }
        return self
    }

    func pending() async throws -> PendingApproval {
        let outcome = await biometrics.pending(idToken: Tenant.usualToken)
        guard case .pending(let request) = outcome else { throw outcome.failure ?? FlowError(.cancelled) }
        return request
    }

    func answer(
        _ request: PendingApproval, _ decision: ApprovalDecision = .approve, userID: String? = nil, matchCode: String? = nil,
        idToken: String = Tenant.usualToken
    ) async -> ApprovalOutcome {
        await biometrics.answer(request, decision, userID: userID, matchCode: matchCode, idToken: idToken)
    }

    /// The last request to a path.
    func last(_ path: String) -> OutgoingRequest? { server.requests(to: path).last }
}

extension ScriptedTenant.Reply {
    /// A biometric reply.
    static func data(_ data: String, code: String = "0", message: String = "null", status: Int = 200) -> Self {
        .json(#"{"code":"\#(code)","data":\#(data),"message":\#(message)}"#, status: status)
    }
}
