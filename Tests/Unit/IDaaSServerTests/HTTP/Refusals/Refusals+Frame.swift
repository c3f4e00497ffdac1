import IDaaSServer
import IDaaSTestSupport
import IDaaSWire

/// The refusals of all operations of a kind: because of header fields, the body, or a failing store.
enum Refusals {
    static let groups = [
        frame, callers, bodies, members, captcha, noMemory, sending, deafGateway, login, signatures, sessions, states, wechat, binding,
        registering, oneClick, passwords,
        secondFactors, smsFactors, phones, answers, phoneMembers, signals, faults, silence,
    ]

    private static let operations = OpenAPIDocument.operations
    /// The operations that a client calls.
    private static let called = operations.filter { $0.path.hasPrefix("/api/v2/sdk/") }

    private static let frame = RefusalGroup(
        "the header and its size, and what is hidden",
        operations.map { operation in
            Refusal(operation.name, .invalidFormat, ["header"], adding: ("X-Filler", String(repeating: "v", count: 17_000)))
        } + [
            Refusal("metrics", .invalidParameter, ["path"], status: 404, of: [("X-Forwarded-For", "127.0.0.1")]),
            Refusal("statusList", .invalidParameter, ["path"], status: 404, of: []),
            Refusal("statusList", .invalidParameter, ["time"], status: 501) { _ in try WireRequest("statusList", [], query: "?time=1") },
        ])

    private static let callers = RefusalGroup("who asks", called.map(\.name).flatMap(caller))

    private static func caller(of operation: String) -> [Refusal] {
        let (longID, longDevice) = (String(repeating: "x", count: 129), String(repeating: "x", count: 513))
        return [
            Refusal(operation, .missingParameter, ["X-client-id"], of: WireRequest.caller().filter { $0.0 != "X-client-id" }),
            Refusal(operation, .missingParameter, ["X-client-id"], of: WireRequest.caller(" ")),
            Refusal(operation, .invalidFormat, ["X-client-id"], of: WireRequest.caller(longID)),
            Refusal(operation, .incompleteDevice, of: [("X-client-id", LiveServer.client)]),
            Refusal(operation, .invalidFormat, ["X-device-fingerprint"], of: WireRequest.caller(device: longDevice)),
            Refusal(operation, .unknownClient, of: WireRequest.caller("nobody")),
        ]
            + (1...3).map { missing in
                Refusal(operation, .incompleteDevice, of: WireRequest.caller().enumerated().filter { $0.offset != missing }.map(\.element))
            }
    }

    /// The operations that read a body, required or not, and those that require one.
    private static let bodies = RefusalGroup(
        "the body as a whole",
        operations.filter { $0.method != "get" }.map(\.name).map { operation in
            Refusal(
                operation, .invalidFormat, ["body"], status: 413, of: WireRequest.caller(), body: [UInt8](repeating: 0x20, count: 65_537))
        }
            + [
                "verifyCaptcha", "sendSMS", "loginBySMS", "logout", "loginByWeChat", "bindSocialAccount", "registerSocialAccount",
                "loginByCarrier", "loginByPassword", "requestApproval", "pollApproval", "secondFactorBySMS",
            ].flatMap { operation in
                [
                    Refusal(
                        operation, .invalidFormat, ["Content-Type"], status: 415,
                        of: WireRequest.caller() + [("Content-Type", "text/plain")], body: Array("{}".utf8)),
                    Refusal(operation, .invalidFormat, ["body"]) { _ in try WireRequest(operation, WireRequest.caller(), []) },
                ]
            })

    private static let members = RefusalGroup("the members of a body", BodyMember.all.flatMap(\.refusals))

    private static let phoneMembers = RefusalGroup(
        "the bodies of phones",
        BodyMember.ofPhones.flatMap(\.refusals)
            + ["phoneChallenge", "bindPhone", "unbindPhone", "respondToApproval"].flatMap { operation in
                [
                    Refusal(operation, .invalidFormat, ["Content-Type"], status: 415) { stage in
                        let fields = [try await stage.sharedAuthorization(), ("Content-Type", "text/plain")]
                        return try WireRequest(operation, WireRequest.caller() + fields, body: Array("{}".utf8))
                    },
                    Refusal(operation, .invalidFormat, ["body"]) { stage in
                        try WireRequest(operation, WireRequest.caller() + [try await stage.sharedAuthorization()], [])
                    },
                ]
            })

    /// An operation that needs the store reports its failure without details.
    private static let faults = RefusalGroup("the store fails", in: .spoiledStore, storeFailures(status: 500))

    /// A store that may answer a moment later.
    private static let silence = RefusalGroup("the store does not answer", in: .silentStore, storeFailures(status: 503))

    private static func storeFailures(status: Int) -> [Refusal] {
        operations.map(\.name).filter { !["health", "readiness", "metrics", "openapi", "signalConfiguration"].contains($0) }.map {
            operation in
            Refusal(operation, .systemBusy, status: status, of: WireRequest.caller() + [("Content-Type", "application/json")])
        }
    }
}

/// A member of a body, and its possible faults.
private struct BodyMember: Sendable {
    let operation: String
    let name: String
    /// Bytes; nil for a value that is not a string.
    let limit: Int?
    let isRequired: Bool

    static let all =
        strings("verifyCaptcha", ["sender": 64, "token": 64, "point_json": 256]) + strings("verifyCaptcha", ["track": 32_768], false)
        + strings("sendSMS", ["mobile": 64, "type": 64, "captcha_token": 512])
        + strings("loginBySMS", ["mobile": 64, "verify_code": 32]) + strings("loginBySMS", ["nonce": 128], false)
        + [BodyMember(operation: "logout", name: "all", limit: nil, isRequired: false)]
        + strings("loginByWeChat", ["code": 256]) + strings("loginByWeChat", ["state": 256, "nonce": 128], false)
        + ["bindSocialAccount", "registerSocialAccount"].flatMap {
            strings($0, ["mobile": 64, "verify_code": 32]) + strings($0, ["nonce": 128], false)
        } + strings("secondFactorBySMS", ["mobile": 64, "verify_code": 32])
        + strings("loginByCarrier", ["access_token": 4_096]) + strings("loginByCarrier", ["nonce": 128], false)
        + strings("loginByPassword", ["user_name": 128, "password": 256]) + strings("loginByPassword", ["nonce": 128], false)
        + strings("requestApproval", ["binding_message": 256], false) + strings("pollApproval", ["auth_req_id": 64])

    /// The members of requests with an id_token.
    static let ofPhones =
        strings("phoneChallenge", ["action": 16])
        + strings("bindPhone", ["public_key": 512, "alg": 16, "challenge": 128, "signature": 256])
        + strings("bindPhone", ["device_name": 64], false) + strings("unbindPhone", ["challenge": 128, "signature": 256])
        + strings("respondToApproval", ["signature": 256])
        + strings("respondToApproval", ["random": 128, "match_code": 8, "decision": 16], false)
        + ["bindPhone", "unbindPhone", "respondToApproval"].flatMap {
            strings($0, ["uv": 16], false) + [BodyMember(operation: $0, name: "sig_version", limit: nil, isRequired: false)]
        }

    private static func strings(_ operation: String, _ limits: KeyValuePairs<String, Int>, _ required: Bool = true) -> [Self] {
        limits.map { Self(operation: operation, name: $0.key, limit: $0.value, isRequired: required) }
    }

    private static let bearers: Set<String> = ["phoneChallenge", "bindPhone", "unbindPhone", "respondToApproval"]

    /// Valid values, so that only one member is wrong.
    private static let rest: [String: KeyValuePairs<String, JSON>] = [
        "verifyCaptcha": ["sender": "+86-13800000000", "token": "00", "point_json": .string(RefusalStage.wrongPlace)],
        "sendSMS": ["mobile": "+86-13800000000", "type": "LOGIN_SMS", "captcha_token": "none"],
        "loginBySMS": ["mobile": "+86-13800000000", "verify_code": "000000"],
        "logout": [:],
        "loginByWeChat": ["code": "none"],
        "bindSocialAccount": ["mobile": "+86-13800000000", "verify_code": "000000"],
        "registerSocialAccount": ["mobile": "+86-13800000000", "verify_code": "000000"],
        "secondFactorBySMS": ["mobile": "+86-13800000000", "verify_code": "000000"],
        "loginByCarrier": ["access_token": "none"],
        "loginByPassword": ["user_name": "nobody", "password": "none"],
        "requestApproval": [:],
        "pollApproval": ["auth_req_id": "none"],
        "phoneChallenge": ["action": "bind"],
        "bindPhone": ["public_key": "AAAA", "alg": "ES256", "challenge": "none", "signature": "AAAA"],
        "unbindPhone": ["challenge": "none", "signature": "AAAA"],
        "respondToApproval": ["signature": "AAAA"],
    ]

    var refusals: [Refusal] {
        var refusals = [refusal(.invalidType, limit == nil ? .string("yes") : .integer(7))]
        if let limit { refusals.append(refusal(.invalidFormat, .string(String(repeating: "1", count: limit + 1)))) }
        if isRequired { refusals += Self.nothing.map { refusal(.missingParameter, $0) } }
        return refusals
    }

    /// Absent, null and blank are equivalent.
    private static let nothing: [JSON?] = [.none, .some(.null), .some(.string("")), .some(.string(" "))]

    private func refusal(_ code: ServiceCode, _ value: JSON?) -> Refusal {
        Refusal(operation, code, [name]) { stage in
            let others = (Self.rest[operation] ?? [:]).filter { $0.key != name }.map { ($0.key, $0.value) }
            let bearer = Self.bearers.contains(operation) ? [try await stage.sharedAuthorization()] : []
            return try WireRequest(operation, WireRequest.caller() + bearer, .object(others + (value.map { [(name, $0)] } ?? [])))
        }
    }
}
