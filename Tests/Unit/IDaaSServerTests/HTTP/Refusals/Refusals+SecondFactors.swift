import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

extension Refusals {
    static let secondFactors = RefusalGroup(
        "second factors on the PC",
        [
            Refusal("requestApproval", .accessPolicy) { _ in
                try WireRequest("requestApproval", WireRequest.caller(RefusalStage.closed) + [("X-state-token", "none")], [:])
            },
            Refusal("requestApproval", .invalidFormat, ["binding_message"]) { stage in
                try request(try await stage.firstFactor(), ["binding_message": "\u{7}"])
            },
            Refusal("requestApproval", .deviceNotBound) { stage in
                try request(try await stage.firstFactor(at: RefusalStage.always, hasPhone: false), [:])
            },
            Refusal("requestApproval", .rateLimited, ["600"]) { stage in
                let login = try await stage.firstFactor()
                for _ in 0..<5 { #expect(try await login.wire.post(WirePath.bioInitiate, [:], adding: [login.state]).status == 200) }
                return try request(login, [:])
            },
            Refusal("pollApproval", .invalidParameter, ["auth_req_id"]) { stage in try poll(try await stage.firstFactor(), "none") },
            Refusal("pollApproval", .authorizationPending) { stage in
                let (login, id) = try await stage.waiting()
                return try poll(login, id)
            },
            Refusal("pollApproval", .pollingTooFast) { stage in
                let (login, id) = try await stage.waiting()
                _ = try await login.wire.post(WirePath.bioPoll, ["auth_req_id": id], adding: [login.state])
                return try poll(login, id)
            },
            Refusal("pollApproval", .requestDenied) { stage in
                let (login, id) = try await stage.waiting()
                #expect(try await login.phone?.respond(WirePhone.Answer(decision: .deny)).status == 200)
                return try poll(login, id)
            },
            Refusal("pollApproval", .requestExpired) { stage in
                let (login, id) = try await stage.waiting()
                stage.server.clock.advance(by: 120)
                return try poll(login, id)
            },
        ])

    private static func request(_ login: RefusalStage.Login, _ body: JSON) throws -> WireRequest {
        try WireRequest("requestApproval", login.wire.fields + [login.state], body)
    }

    private static func poll(_ login: RefusalStage.Login, _ id: String) throws -> WireRequest {
        try WireRequest("pollApproval", login.wire.fields + [login.state], ["auth_req_id": .string(id)])
    }

    static let smsFactors = RefusalGroup(
        "second factors by SMS",
        [
            Refusal("sendSMS", .mobileMismatch) { stage in
                let login = try await stage.firstFactor()
                return try WireRequest(
                    "sendSMS", login.wire.fields + [login.state],
                    ["mobile": .string(stage.mobile()), "type": "MFA_AUTH_SMS", "captcha_token": "none"])
            },
            Refusal("secondFactorBySMS", .mobileMismatch) { stage in
                try redeem(try await stage.firstFactor(), stage.mobile())
            },
            Refusal("secondFactorBySMS", .invalidFormat, ["mobile"]) { stage in try redeem(try await stage.firstFactor(), "12345") },
            Refusal("secondFactorBySMS", .smsCodeIncorrect) { stage in
                let login = try await stage.firstFactor()
                return try redeem(login, login.mobile)
            },
            Refusal("secondFactorBySMS", .locked, ["15", "0"]) { stage in
                let login = try await stage.firstFactor()
                for _ in 0..<2 {
                    stage.server.clock.advance(by: 61)
                    try await stage.server.sendCode(to: login.mobile, with: login.wire)
                    for _ in 0..<5 { #expect(try await login.wire.login(login.mobile, code: "none").status == 400) }
                }
                return try redeem(login, login.mobile)
            },
            Refusal("secondFactorBySMS", .rateLimited, ["60"]) { stage in
                stage.server.clock.advance(by: 61)
                let login = try await stage.firstFactor()
                for _ in 0..<28 { _ = try await stage.server.wire(device: stage.device()).login(stage.mobile(), code: "000000") }
                return try redeem(login, login.mobile)
            },
        ])

    private static func redeem(_ login: RefusalStage.Login, _ mobile: String) throws -> WireRequest {
        try WireRequest(
            "secondFactorBySMS", login.wire.fields + [login.state], ["mobile": .string(mobile), "verify_code": "000000"])
    }

    static let phones = RefusalGroup(
        "phones",
        [
            Refusal("phoneChallenge", .invalidParameter, ["action"]) { stage in
                try WireRequest("phoneChallenge", WireRequest.caller() + [try await stage.sharedAuthorization()], ["action": "steal"])
            },
            Refusal("phoneChallenge", .rateLimited, ["60"]) { stage in
                let phone = try await stage.phone(isBound: false)
                for _ in 0..<30 { _ = try await phone.challenge("bind") }
                return try WireRequest("phoneChallenge", phone.wire.fields + [phone.bearer], ["action": "bind"])
            },
            Refusal("bindPhone", .expired, ["auth_time"]) { stage in
                let phone = try await stage.phone(isBound: false)
                stage.server.clock.advance(by: 600)
                return try bind(phone)
            },
            Refusal("bindPhone", .invalidFormat, ["alg"]) { stage in try bind(try await stage.phone(isBound: false), ["alg": "RS256"]) },
            Refusal("bindPhone", .invalidFormat, ["public_key"]) { stage in
                try bind(try await stage.phone(isBound: false), ["public_key": "AAAA"])
            },
            Refusal("bindPhone", .accessPolicy) { stage in
                try bind(try await stage.phone(at: RefusalStage.strict, isBound: false), ["uv": "passcode"])
            },
            Refusal("bindPhone", .requestExpired) { stage in try bind(try await stage.phone(isBound: false)) },
            Refusal("bindPhone", .signatureInvalid) { stage in
                let phone = try await stage.phone(isBound: false)
                return try bind(phone, ["challenge": .string(try await phone.challenge("bind"))])
            },
            Refusal("bindPhone", .deviceBound) { stage in
                let mobile = stage.mobile()
                _ = try await stage.phone(of: mobile)
                let second = try await stage.phone(of: mobile, isBound: false)
                let challenge = try await second.challenge("bind")
                let signature = try second.sign(Array(challenge.utf8))
                return try bind(second, ["challenge": .string(challenge), "signature": .string(signature)])
            },
            Refusal("unbindPhone", .deviceNotBound) { stage in try unbind(try await stage.phone(isBound: false), "none") },
            Refusal("unbindPhone", .requestExpired) { stage in try unbind(try await stage.phone(), "none") },
            Refusal("unbindPhone", .signatureInvalid) { stage in
                let phone = try await stage.phone()
                return try unbind(phone, try await phone.challenge("unbind"))
            },
            Refusal("pendingApproval", .deviceNotBound) { stage in
                let phone = try await stage.phone(isBound: false)
                return try WireRequest("pendingApproval", phone.wire.fields + [phone.bearer])
            },
        ]
            + ["bindPhone", "unbindPhone", "respondToApproval"].flatMap { operation in
                let bodies: [String: [(String, JSON)]] = [
                    "bindPhone": [("public_key", "AAAA"), ("alg", "ES256"), ("challenge", "none")], "unbindPhone": [("challenge", "none")],
                ]
                let faults: [(ServiceCode, String, [(String, JSON)])] = [
                    (.invalidParameter, "sig_version", [("signature", "AAAA"), ("sig_version", 7)]),
                    (.invalidParameter, "uv", [("signature", "AAAA"), ("uv", "x")]), (.invalidFormat, "signature", [("signature", "?")]),
                ]
                return faults.map { code, name, members in
                    Refusal(operation, code, [name]) { stage in
                        try WireRequest(
                            operation, WireRequest.caller() + [try await stage.sharedAuthorization()],
                            .object((bodies[operation] ?? []) + members))
                    }
                }
            })

    private static func bind(_ phone: WirePhone, _ changes: [String: JSON] = [:]) throws -> WireRequest {
        var members: [String: JSON] = [
            "public_key": .string(Data(phone.key.publicKey.document).base64EncodedString()), "alg": "ES256", "challenge": "none",
            "signature": "AAAA",
        ]
        for (name, value) in changes { members[name] = value }
        return try WireRequest("bindPhone", phone.wire.fields + [phone.bearer], .object(members.map { ($0.key, $0.value) }))
    }

    private static func unbind(_ phone: WirePhone, _ challenge: String) throws -> WireRequest {
        try WireRequest(
            "unbindPhone", phone.wire.fields + [phone.bearer], ["challenge": .string(challenge), "signature": "AAAA", "sig_version": 1])
    }

    static let answers = RefusalGroup(
        "answers of phones",
        [
            Refusal("respondToApproval", .invalidParameter, ["decision"]) { stage in
                try respond(try await stage.phone(isBound: false), [("signature", "AAAA"), ("decision", "maybe")])
            },
            Refusal("respondToApproval", .missingParameter, ["random"]) { stage in
                try respond(try await stage.phone(isBound: false), [("signature", "AAAA"), ("sig_version", 1)])
            },
            Refusal("respondToApproval", .deviceNotBound) { stage in
                try respond(try await stage.phone(isBound: false), [("signature", "AAAA")])
            },
            Refusal("respondToApproval", .noPendingRequest) { stage in try respond(try await stage.phone(), [("signature", "AAAA")]) },
            Refusal("respondToApproval", .requestExpired) { stage in
                let phone = try #require(try await stage.waiting().login.phone)
                stage.server.clock.advance(by: 120)
                return try respond(phone, [("signature", "AAAA")])
            },
            Refusal("respondToApproval", .signatureInvalid) { stage in
                try respond(try #require(try await stage.waiting().login.phone), [("signature", "AAAA")])
            },
            Refusal("respondToApproval", .missingParameter, ["match_code"]) { stage in try await signed(stage, LiveServer.client, nil) },
            Refusal("respondToApproval", .matchCodeIncorrect) { stage in try await signed(stage, LiveServer.client, "00") },
            Refusal("respondToApproval", .accessPolicy) { stage in try await signed(stage, RefusalStage.strict, "00", .passcode) },
        ])

    private static func respond(_ phone: WirePhone, _ members: [(String, JSON)]) throws -> WireRequest {
        try WireRequest("respondToApproval", phone.wire.fields + [phone.bearer], .object(members))
    }

    /// A right signature.
    private static func signed(
        _ stage: RefusalStage, _ client: String, _ matchCode: String?, _ verification: UserVerification = .biometric
    ) async throws -> WireRequest {
        let phone = try #require(try await stage.waiting(at: client).login.phone)
        let random = try #require(try await phone.pending().data["random"] as? String)
        let statement = BiometricStatement(
            challenge: random, client: client, user: phone.userID, decision: .approve, verification: verification)
        let members: [(String, JSON)] = [
            ("random", .string(random)), ("signature", .string(try phone.sign(statement.bytes(.statement)))), ("sig_version", 1),
            ("uv", .string(verification.rawValue)),
        ]
        return try respond(phone, members + (matchCode.map { [("match_code", .string($0))] } ?? []))
    }
}
