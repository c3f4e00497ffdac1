import IDaaSServer
import IDaaSTestSupport
import IDaaSWire

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
                try solution(stage, on: try await stage.deviceLockedOutOfCaptchas())
            },
            Refusal("verifyCaptcha", .sliderMismatch, ["blockPuzzle"]) { stage in
                let device = stage.device()
                let token = try await stage.server.wire(device: device).get("/api/v2/sdk/captcha").string("token")
                return try solution(stage, of: token ?? "", on: device)
            },
            Refusal("verifyCaptcha", .sliderMismatch, ["blockPuzzle"]) { try solution($0) },
            Refusal("verifyCaptcha", .sliderUnreadable, ["blockPuzzle"]) { try solution($0, at: "nonsense") },
            Refusal("verifyCaptcha", .invalidFormat, ["sender"]) { try solution($0, for: "12345") },
            Refusal("verifyCaptcha", .invalidFormat, ["track"]) { stage in
                let body: JSON = [
                    "token": "00", "point_json": .string(RefusalStage.wrongPlace), "sender": .string(stage.mobile()), "track": "nonsense",
                ]
                return try WireRequest("verifyCaptcha", WireRequest.caller(), body)
            },
        ])

    static let noMemory = RefusalGroup(
        "no memory for a picture", in: .noMemory,
        [Refusal("captcha", .systemBusy, status: 503) { stage in try WireRequest("captcha", WireRequest.caller(device: stage.device())) }])

    /// A solution of a new user, unless told otherwise.
    private static func solution(
        _ stage: RefusalStage, of token: String = "00", for mobile: String? = nil, at place: String = RefusalStage.wrongPlace,
        on device: String? = nil
    ) throws -> WireRequest {
        try WireRequest(
            "verifyCaptcha", WireRequest.caller(device: device ?? stage.device()),
            ["token": .string(token), "point_json": .string(place), "sender": .string(mobile ?? stage.mobile())])
    }

    static let sending = RefusalGroup(
        "sending",
        [
            Refusal("sendSMS", .captchaIncorrect) { try message($0) },
            Refusal("sendSMS", .unknownScenario) { try message($0, type: "FORGET_PWD_SMS") },
            Refusal("sendSMS", .invalidFormat, ["mobile"]) { try message($0, to: "12345") },
            Refusal("sendSMS", .unknownConfiguration) { try message($0, from: RefusalStage.withoutSMS) },
            Refusal("sendSMS", .rateLimited, ["60"]) { stage in
                let (mobile, device) = (stage.mobile(), stage.device())
                try await stage.server.sendCode(to: mobile, with: stage.server.wire(device: device))
                return try message(stage, to: mobile, token: try await stage.captchaToken(for: mobile, on: device), on: device)
            },
            Refusal("sendSMS", .locked, ["15", "0"]) { stage in
                let device = stage.device()
                let mobile = try await stage.lockedMobile(on: device)
                return try message(stage, to: mobile, token: try await stage.captchaToken(for: mobile, on: device), on: device)
            },
        ])

    static let deafGateway = RefusalGroup(
        "sending by a gateway that takes nothing", in: .deafGateway,
        [
            Refusal("sendSMS", .sendingFailed) { stage in
                let (mobile, device) = (stage.mobile(), stage.device())
                return try message(stage, to: mobile, token: try await stage.captchaToken(for: mobile, on: device), on: device)
            }
        ])

    /// A message to a new user, unless told otherwise.
    private static func message(
        _ stage: RefusalStage, to mobile: String? = nil, type: String = "LOGIN_SMS", token: String = "none",
        from client: String = LiveServer.client, on device: String? = nil
    ) throws -> WireRequest {
        try WireRequest(
            "sendSMS", WireRequest.caller(client, device: device ?? stage.device()),
            ["mobile": .string(mobile ?? stage.mobile()), "type": .string(type), "captcha_token": .string(token)])
    }

    static let login = RefusalGroup(
        "logging in",
        [
            Refusal("loginBySMS", .invalidFormat, ["mobile"]) { try attempt($0, for: "12345") },
            Refusal("loginBySMS", .smsCodeIncorrect) { try attempt($0) },
            Refusal("loginBySMS", .unknownConfiguration) { try attempt($0, from: RefusalStage.withoutSMS) },
            Refusal("loginBySMS", .unknownUser) { stage in
                let (mobile, device) = (stage.mobile(), stage.device())
                try await stage.server.sendCode(to: mobile, with: stage.server.wire(client: RefusalStage.closed, device: device))
                return try attempt(
                    stage, for: mobile, code: try await stage.server.lastCode(of: mobile), from: RefusalStage.closed, on: device)
            },
            Refusal("loginBySMS", .locked, ["15", "0"]) { stage in
                let device = stage.device()
                return try attempt(stage, for: try await stage.lockedMobile(on: device), on: device)
            },
            Refusal("loginBySMS", .rateLimited, ["60"]) { stage in
                for _ in 0..<30 { _ = try await stage.server.wire(device: stage.device()).login(stage.mobile(), code: "000000") }
                return try attempt(stage)
            },
        ])

    /// An attempt of a new user, unless told otherwise.
    private static func attempt(
        _ stage: RefusalStage, for mobile: String? = nil, code: String = "000000", from client: String = LiveServer.client,
        on device: String? = nil
    ) throws -> WireRequest {
        try WireRequest(
            "loginBySMS", WireRequest.caller(client, device: device ?? stage.device()),
            ["mobile": .string(mobile ?? stage.mobile()), "verify_code": .string(code)])
    }
}
