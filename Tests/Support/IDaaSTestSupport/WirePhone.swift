internal import Foundation
package import IDaaSWire
package import Secrets

/// A phone with an app that a user is logged in to, and with a key of its own, over the wire.
package struct WirePhone: Sendable {
    package let wire: WireClient
    package let idToken: String
    package let userID: String
    package var key: P256PrivateKey

    package init(_ wire: WireClient, idToken: String) throws {
        guard let key = P256PrivateKey.generate(), let userID = try TokenPart.payload.json(in: idToken)["sub"] as? String else {
            throw CancellationError()
        }
        self.wire = wire
        self.idToken = idToken
        self.userID = userID
        self.key = key
    }

    package var bearer: (String, String) { ("Authorization", "Bearer \(idToken)") }

    package func status() async throws -> WireReply { try await wire.get(WirePath.bioDevice, adding: [bearer]) }

    package func challenge(_ action: String) async throws -> String {
        let reply = try wire.answered(try await wire.post(WirePath.bioChallenge, ["action": action], adding: [bearer]), "challenge")
        guard let challenge = reply.data["challenge"] as? String else { throw WireRefusal(path: "challenge", reply: reply) }
        return challenge
    }

    /// - Parameter signed: what the key signs instead of the statement.
    package func bind(
        _ version: SignatureVersion = .statement, challenge: String? = nil, signed: [UInt8]? = nil, uv: UserVerification = .biometric
    ) async throws -> WireReply {
        let text = if let challenge { challenge } else { try await self.challenge("bind") }
        return try await wire.post(
            WirePath.bioDevice,
            [
                "public_key": Data(key.publicKey.document).base64EncodedString(), "alg": "ES256", "challenge": text,
                "signature": try sign(signed ?? statement(text, wire.client, .bind, uv).bytes(version)), "sig_version": version.rawValue,
                "uv": uv.rawValue,
            ], adding: [bearer])
    }

    package func unbind(_ version: SignatureVersion = .statement, challenge: String? = nil) async throws -> WireReply {
        let text = if let challenge { challenge } else { try await self.challenge("unbind") }
        return try await wire.post(
            WirePath.bioUnbind,
            [
                "challenge": text, "signature": try sign(statement(text, wire.client, .unbind, .biometric).bytes(version)),
                "sig_version": version.rawValue,
            ], adding: [bearer])
    }

    package func pending() async throws -> WireReply { try await wire.get(WirePath.bioPending, adding: [bearer]) }

    /// What the phone sends for an answer to the pending request.
    package struct Answer: Sendable {
        package var decision = ApprovalDecision.approve
        package var matchCode: String?
        package var version = SignatureVersion.statement
        package var verification = UserVerification.biometric
        /// The decision that is signed, if it is another one.
        package var signedDecision: BiometricStatement.Decision?
        package var signedUser: String?
        package var signedRandom: String?
        package var signedClient: String?
        /// The random string that is sent, if it is another one.
        package var random: String?

        package init(
            decision: ApprovalDecision = .approve, matchCode: String? = nil, version: SignatureVersion = .statement,
            verification: UserVerification = .biometric, signedDecision: BiometricStatement.Decision? = nil, signedUser: String? = nil,
            signedRandom: String? = nil, signedClient: String? = nil, random: String? = nil
        ) {
            self.decision = decision
            self.matchCode = matchCode
            self.version = version
            self.verification = verification
            self.signedDecision = signedDecision
            self.signedUser = signedUser
            self.signedRandom = signedRandom
            self.signedClient = signedClient
            self.random = random
        }
    }

    package func respond(_ answer: Answer) async throws -> WireReply {
        let reply = try wire.answered(try await pending(), "pending")
        let data = reply.data
        guard let random = data["random"] as? String else { throw WireRefusal(path: "pending", reply: reply) }
        let statement = BiometricStatement(
            challenge: answer.signedRandom ?? random, client: answer.signedClient ?? data["clientId"] as? String ?? "",
            user: answer.signedUser ?? userID, decision: answer.signedDecision ?? BiometricStatement.Decision(answer.decision),
            verification: answer.verification)
        var body: [String: Any] = [
            "random": answer.random ?? random, "signature": try sign(statement.bytes(answer.version)), "decision": answer.decision.rawValue,
            "sig_version": answer.version.rawValue, "uv": answer.verification.rawValue,
        ]
        if let matchCode = answer.matchCode { body["match_code"] = matchCode }
        return try await respond(body)
    }

    package func respond(_ body: [String: Any]) async throws -> WireReply {
        try await wire.post(WirePath.bioRespond, body, adding: [bearer])
    }

    package func sign(_ bytes: [UInt8]) throws -> String {
        guard let signature = key.signature(of: bytes) else { throw CancellationError() }
        return Data(signature).base64EncodedString()
    }

    private func statement(
        _ challenge: String, _ client: String, _ decision: BiometricStatement.Decision, _ uv: UserVerification
    ) -> BiometricStatement {
        BiometricStatement(challenge: challenge, client: client, user: userID, decision: decision, verification: uv)
    }
}

extension WireReply {
    /// The object in a biometric reply.
    package var data: [String: Any] { json["data"] as? [String: Any] ?? [:] }
}
