#if IDaaS
import IDaaSServer
import IDaaSTestSupport

extension Refusals {
    static let captcha = RefusalGroup(
        "the slider",
        [
            Refusal("captcha", .rateLimited, ["60"]) { stage in
                try WireRequest("captcha", WireRequest.caller(device: try await stage.deviceWithoutCaptchas()))
            },
            Refusal("captcha", .rateLimited, ["300"]) { stage in
                try WireRequest("captcha", WireRequest.caller(device: try await stage.deviceLockedOutOfCaptchas()))
            },
            Refusal("verifyCaptcha", .rateLimited, ["300"]) { stage in
                try solution(for: stage.mobile(), of: "00", on: try await stage.deviceLockedOutOfCaptchas())
            },
            Refusal("verifyCaptcha", .sliderMismatch, ["blockPuzzle"]) { stage in
                let device = stage.device()
                let token = try await stage.server.wire(device: device).get("/api/v2/sdk/captcha").string("token")
                return try solution(for: stage.mobile(), of: token ?? "", on: device)
            },
            Refusal("verifyCaptcha", .sliderMismatch, ["blockPuzzle"]) { stage in
                try solution(for: stage.mobile(), of: "00", on: stage.device())
            },
            Refusal("verifyCaptcha", .sliderUnreadable, ["blockPuzzle"]) { stage in
                try solution(for: stage.mobile(), of: "00", at: "nonsense", on: stage.device())
            },
            Refusal("verifyCaptcha", .invalidFormat, ["sender"]) { stage in try solution(for: "12345", of: "00", on: stage.device()) },
            Refusal("verifyCaptcha", .invalidFormat, ["track"]) { stage in
                let body: JSON = [
                    "token": "00", "point_json": .string(RefusalStage.wrongPlace), "sender": .string(stage.mobile()), "track": "nonsense",
                ]
                return try WireRequest("verifyCaptcha", WireRequest.caller(), body)
            },
        ])

    private static func solution(
        for mobile: String, of token: String, at place: String = RefusalStage.wrongPlace, on device: String
    ) throws -> WireRequest {
        try WireRequest(
            "verifyCaptcha", WireRequest.caller(device: device),
            ["token": .string(token), "point_json": .string(place), "sender": .string(mobile)])
    }

    static let sending = RefusalGroup(
        "sending",
        [
            Refusal("sendSMS", .captchaIncorrect) { stage in try message(to: stage.mobile(), token: "none", on: stage.device()) },
            Refusal("sendSMS", .unknownScenario) { stage in
                try message(to: stage.mobile(), type: "REGISTER_SMS", token: "none", on: stage.device())
            },
            Refusal("sendSMS", .invalidFormat, ["mobile"]) { stage in try message(to: "12345", token: "none", on: stage.device()) },
            Refusal("sendSMS", .unknownConfiguration) { stage in
                try message(to: stage.mobile(), token: "none", from: RefusalStage.withoutSMS, on: stage.device())
            },
            Refusal("sendSMS", .rateLimited, ["60"]) { stage in
                let (mobile, device) = (stage.mobile(), stage.device())
                try await stage.server.sendCode(to: mobile, with: stage.server.wire(device: device))
                return try message(to: mobile, token: try await stage.captchaToken(for: mobile, on: device), on: device)
            },
            Refusal("sendSMS", .locked, ["15", "0"]) { stage in
                let device = stage.device()
                let mobile = try await stage.lockedMobile(on: device)
                return try message(to: mobile, token: try await stage.captchaToken(for: mobile, on: device), on: device)
            },
        ])

    static let deafGateway = RefusalGroup(
        "sending by a gateway that takes nothing", in: .deafGateway,
        [
            Refusal("sendSMS", .sendingFailed) { stage in
                let (mobile, device) = (stage.mobile(), stage.device())
                return try message(to: mobile, token: try await stage.captchaToken(for: mobile, on: device), on: device)
            }
        ])

    private static func message(
        to mobile: String, type: String = "LOGIN_SMS", token: String, from client: String = LiveServer.client, on device: String
    ) throws -> WireRequest {
        try WireRequest(
            "sendSMS", WireRequest.caller(client, device: device),
            ["mobile": .string(mobile), "type": .string(type), "captcha_token": .string(token)])
    }

    static let login = RefusalGroup(
        "logging in",
        [
            Refusal("loginBySMS", .invalidFormat, ["mobile"]) { stage in try attempt("12345", on: stage.device()) },
            Refusal("loginBySMS", .smsCodeIncorrect) { stage in try attempt(stage.mobile(), on: stage.device()) },
            Refusal("loginBySMS", .unknownConfiguration) { stage in
                try attempt(stage.mobile(), from: RefusalStage.withoutSMS, on: stage.device())
            },
            Refusal("loginBySMS", .unknownUser) { stage in
                let (mobile, device) = (stage.mobile(), stage.device())
                try await stage.server.sendCode(to: mobile, with: stage.server.wire(client: RefusalStage.closed, device: device))
                return try attempt(
                    mobile, code: try await stage.server.lastCode(of: mobile), from: RefusalStage.closed, on: device)
            },
            Refusal("loginBySMS", .locked, ["15", "0"]) { stage in
                let device = stage.device()
                return try attempt(try await stage.lockedMobile(on: device), on: device)
            },
            Refusal("loginBySMS", .rateLimited, ["60"]) { stage in
                for _ in 0..<30 { _ = try await stage.server.wire(device: stage.device()).login(stage.mobile(), code: "000000") }
                return try attempt(stage.mobile(), on: stage.device())
            },
        ])

    private static func attempt(
        _ mobile: String, code: String = "000000", from client: String = LiveServer.client, on device: String
    ) throws -> WireRequest {
        try WireRequest(
            "loginBySMS", WireRequest.caller(client, device: device), ["mobile": .string(mobile), "verify_code": .string(code)])
    }
}
#endif
