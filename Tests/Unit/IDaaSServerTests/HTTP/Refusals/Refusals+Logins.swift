import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

extension Refusals {
    /// What is wrong with a state token, wherever one is needed.
    static let states = RefusalGroup(
        "state tokens",
        [
            ("bindSocialAccount", StateTokens.Purpose.bindWeChat), ("registerSocialAccount", .registerWeChat),
            ("secondFactorBySMS", .secondFactor), ("pollApproval", .secondFactor), ("requestApproval", .secondFactor),
            ("sendSMS", .registerWeChat),
        ].flatMap { operation, purpose in
            [
                Refusal(operation, .missingParameter, ["X-state-token"]) { _ in try step(operation, nil) },
                Refusal(operation, .invalidParameter, ["state_token"]) { _ in try step(operation, "nonsense") },
                Refusal(operation, .invalidParameter, ["state_token"]) { _ in try step(operation, String(repeating: "x", count: 1_025)) },
                // Signed by us, and its record is gone.
                Refusal(operation, .expired, ["state_token"]) { stage in
                    let services = stage.server.server.services
                    let client = try #require(try await services.clients.find(LiveServer.client))
                    let caller = Caller(
                        client: client, device: Digest256.of(Array("device-1".utf8)), deviceName: "", address: "127.0.0.1",
                        language: .chinese, requestID: "r")
                    return try step(operation, try services.stateTokens.mint(purpose, for: caller))
                },
            ]
        })

    private static func step(_ operation: String, _ token: String?) throws -> WireRequest {
        let bodies: [String: JSON] = [
            "pollApproval": ["auth_req_id": "none"], "requestApproval": [:],
            "sendSMS": ["mobile": "+86-13800000000", "type": "REGISTER_SMS", "captcha_token": "none"],
        ]
        let body = bodies[operation] ?? ["mobile": "+86-13800000000", "verify_code": "000000"]
        return try WireRequest(operation, WireRequest.caller() + (token.map { [("X-state-token", $0)] } ?? []), body)
    }

    static let wechat = RefusalGroup(
        "WeChat",
        [
            Refusal("loginByWeChat", .wechatSource) { _ in
                try WireRequest("loginByWeChat", WireRequest.caller(RefusalStage.closed), ["code": "none"])
            },
            Refusal("loginByWeChat", .invalidParameter, ["code"]) { stage in try wechatLogin(stage.device(), on: stage.device()) },
            Refusal("loginByWeChat", .invalidFormat, ["state"]) { stage in
                try wechatLogin("none", on: stage.device(), adding: [("state", "short")])
            },
            Refusal("loginByWeChat", .invalidParameter, ["state"]) { stage in
                let (device, state) = (stage.device(), stage.device() + "-0123456789")
                let first = try wechatLogin(try await stage.wechatCode(stage.device()), on: device, adding: [("state", .string(state))])
                #expect(try await first.sent(to: stage.server, adding: []).status == 200)
                return try wechatLogin(try await stage.wechatCode(stage.device()), on: device, adding: [("state", .string(state))])
            },
            Refusal("loginByWeChat", .interfaceFailed, ["wechat"]) { stage in
                try await stage.order("45011", from: "wechat")
                return try wechatLogin(try await stage.wechatCode(stage.device()), on: stage.device())
            },
            Refusal("loginByWeChat", .unknownUser) { stage in
                let (user, mobile, device) = (stage.device(), stage.mobile(), stage.device())
                try await stage.complete(WirePath.socialRegister, user, mobile, with: stage.server.wire(device: device))
                try await stage.server.server.services.administration.lockUser(mobile)
                return try wechatLogin(try await stage.wechatCode(user), on: device)
            },
            Refusal("loginByWeChat", .expired, ["session_token"]) { stage in
                let (user, device) = (stage.device(), stage.device())
                let wire = stage.server.wire(device: device)
                try await stage.complete(WirePath.socialRegister, user, stage.mobile(), with: wire)
                let code = try await stage.wechatCode(user)
                let tokens = try stage.server.tokens(try await wire.post(WirePath.wechatLogin, ["code": code]))
                #expect(try await wire.logOut(tokens.sessionToken).status == 200)
                return try wechatLogin(code, on: device)
            },
            Refusal("loginByWeChat", .rateLimited, ["60"]) { stage in
                try await stage.exhaustLogins()
                return try wechatLogin("none", on: stage.device())
            },
        ])

    private static func wechatLogin(_ code: String, on device: String, adding more: [(String, JSON)] = []) throws -> WireRequest {
        try WireRequest("loginByWeChat", WireRequest.caller(device: device), .object([("code", .string(code))] + more))
    }

    static let binding = RefusalGroup(
        "binding", completion("bindSocialAccount", WirePath.socialBind, .bindMobile, RefusalStage.binder))
    static let registering = RefusalGroup(
        "registering", completion("registerSocialAccount", WirePath.socialRegister, .register, LiveServer.client))

    private static func completion(_ operation: String, _ path: String, _ type: SMSPurpose, _ client: String) -> [Refusal] {
        let request = { @Sendable (wire: WireClient, token: String, mobile: String, code: String) in
            try WireRequest(
                operation, wire.fields + [("X-state-token", token)], ["mobile": .string(mobile), "verify_code": .string(code)])
        }
        return [
            Refusal(operation, .wechatSource) { stage in
                try request(stage.server.wire(client: RefusalStage.closed), "none", stage.mobile(), "000000")
            },
            Refusal(operation, .invalidFormat, ["mobile"]) { stage in
                let wire = stage.server.wire(client: client, device: stage.device())
                return try request(wire, try await stage.stateToken(stage.device(), with: wire), "12345", "000000")
            },
            Refusal(operation, .smsCodeIncorrect) { stage in
                let wire = stage.server.wire(client: client, device: stage.device())
                return try request(wire, try await stage.stateToken(stage.device(), with: wire), stage.mobile(), "000000")
            },
            Refusal(operation, .unknownUser) { stage in
                let (wire, mobile) = (stage.server.wire(client: client, device: stage.device()), stage.mobile())
                let token = try await stage.stateToken(stage.device(), with: wire)
                _ = try await stage.server.server.services.administration.addUser(mobile: mobile)
                let code = try await stage.code(type, to: mobile, token, with: wire)
                try await stage.server.server.services.administration.lockUser(mobile)
                return try request(wire, token, mobile, code)
            },
            Refusal(operation, .socialBound) { stage in
                let (wire, user) = (stage.server.wire(client: client, device: stage.device()), stage.device())
                let (mobile, other) = (stage.mobile(), stage.mobile())
                for mobile in [mobile, other] { _ = try await stage.server.server.services.administration.addUser(mobile: mobile) }
                let token = try await stage.stateToken(user, with: wire)
                try await stage.complete(path, user, mobile, with: wire)
                return try request(wire, token, other, try await stage.code(type, to: other, token, with: wire))
            },
            Refusal(operation, .mobileBoundElsewhere) { stage in
                let (wire, mobile) = (stage.server.wire(client: client, device: stage.device()), stage.mobile())
                _ = try await stage.server.server.services.administration.addUser(mobile: mobile)
                try await stage.complete(path, stage.device(), mobile, with: wire)
                stage.server.clock.advance(by: 61)
                let token = try await stage.stateToken(stage.device(), with: wire)
                return try request(wire, token, mobile, try await stage.code(type, to: mobile, token, with: wire))
            },
            Refusal(operation, .locked, ["15", "0"]) { stage in
                let device = stage.device()
                let mobile = try await stage.lockedMobile(on: device)
                let wire = stage.server.wire(client: client, device: device)
                return try request(wire, try await stage.stateToken(stage.device(), with: wire), mobile, "000000")
            },
            Refusal(operation, .rateLimited, ["60"]) { stage in
                stage.server.clock.advance(by: 61)
                let wire = stage.server.wire(client: client, device: stage.device())
                let token = try await stage.stateToken(stage.device(), with: wire)
                for _ in 0..<29 { _ = try await stage.server.wire(device: stage.device()).login(stage.mobile(), code: "000000") }
                return try request(wire, token, stage.mobile(), "000000")
            },
        ]
    }

    static let oneClick = RefusalGroup(
        "one-click login",
        [
            Refusal("loginByCarrier", .oneClickSource) { _ in
                try WireRequest("loginByCarrier", WireRequest.caller(RefusalStage.withoutKey), ["access_token": "none"])
            },
            Refusal("loginByCarrier", .expired, ["access_token"]) { stage in
                try WireRequest("loginByCarrier", WireRequest.caller(), ["access_token": .string(stage.device())])
            },
            Refusal("loginByCarrier", .interfaceFailed, ["GetMobile"]) { stage in
                try await stage.order("isv.BUSINESS_LIMIT_CONTROL", from: "dypnsapi")
                let token = try await stage.carrierToken(stage.mobile())
                return try WireRequest("loginByCarrier", WireRequest.caller(), ["access_token": .string(token)])
            },
            Refusal("loginByCarrier", .unknownUser) { stage in
                let token = try await stage.carrierToken(stage.mobile())
                return try WireRequest("loginByCarrier", WireRequest.caller(RefusalStage.closed), ["access_token": .string(token)])
            },
            Refusal("loginByCarrier", .rateLimited, ["60"]) { stage in
                try await stage.exhaustLogins()
                return try WireRequest("loginByCarrier", WireRequest.caller(), ["access_token": .string(stage.device())])
            },
        ])

    static let passwords = RefusalGroup(
        "passwords",
        [
            Refusal("loginByPassword", .unknownConfiguration) { _ in
                try WireRequest(
                    "loginByPassword", WireRequest.caller(RefusalStage.closed), ["user_name": "nobody", "password": "none"])
            },
            Refusal("loginByPassword", .invalidPassword, ["9"]) { stage in try guess(stage.device(), on: stage.device()) },
            Refusal("loginByPassword", .locked, ["15", "0"]) { stage in
                // The attempts also count for the address.
                stage.server.clock.advance(by: 61)
                let (name, device) = (stage.device(), stage.device())
                for _ in 0..<10 { _ = try await guess(name, on: device).sent(to: stage.server, adding: []) }
                return try guess(name, on: device)
            },
            Refusal("loginByPassword", .rateLimited, ["60"]) { stage in
                try await stage.exhaustLogins()
                return try guess(stage.device(), on: stage.device())
            },
        ])

    private static func guess(_ name: String, on device: String) throws -> WireRequest {
        try WireRequest("loginByPassword", WireRequest.caller(device: device), ["user_name": .string(name), "password": "none"])
    }
}
