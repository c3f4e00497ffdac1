#if IDaaS
import IDaaSServer
import IDaaSTestSupport

/// What every operation of its kind refuses: by its header fields, by its body, and when the store fails.
enum Refusals {
    static let groups = [frame, callers, bodies, members, captcha, sending, deafGateway, login, signatures, sessions, faults]

    private static let operations = OpenAPIDocument.operations
    /// Those that a client calls.
    private static let called = operations.filter { $0.path.hasPrefix("/api/v2/sdk/") }

    private static let frame = RefusalGroup(
        "the header and its size, and what is hidden",
        operations.map { operation in
            Refusal(operation.name, .invalidFormat, ["header"]) { _ in
                try WireRequest(operation.name, WireRequest.caller() + [("X-Filler", String(repeating: "v", count: 17_000))])
            }
        } + [
            Refusal("metrics", .invalidParameter, ["path"], status: 404) { _ in
                try WireRequest("metrics", [("X-Forwarded-For", "127.0.0.1")])
            }
        ])

    private static let callers = RefusalGroup("who asks", called.map(\.name).flatMap(caller))

    private static func caller(of operation: String) -> [Refusal] {
        let (longID, longDevice) = (String(repeating: "x", count: 129), String(repeating: "x", count: 513))
        return [
            Refusal(operation, .missingParameter, ["X-client-id"]) { _ in
                try WireRequest(operation, WireRequest.caller().filter { $0.0 != "X-client-id" })
            },
            Refusal(operation, .invalidFormat, ["X-client-id"]) { _ in try WireRequest(operation, WireRequest.caller(longID)) },
            Refusal(operation, .incompleteDevice) { _ in try WireRequest(operation, [("X-client-id", LiveServer.client)]) },
            Refusal(operation, .invalidFormat, ["X-device-fingerprint"]) { _ in
                try WireRequest(operation, WireRequest.caller(device: longDevice))
            },
            Refusal(operation, .unknownClient) { _ in try WireRequest(operation, WireRequest.caller("nobody")) },
        ]
    }

    /// Those that read a body, wanted or not, and those that want one.
    private static let bodies = RefusalGroup(
        "the body as a whole",
        operations.filter { $0.method != "get" }.map(\.name).map { operation in
            Refusal(operation, .invalidFormat, ["body"], status: 413) { _ in
                try WireRequest(operation, body: [UInt8](repeating: 0x20, count: 65_537))
            }
        }
            + ["verifyCaptcha", "sendSMS", "loginBySMS", "logout"].flatMap { operation in
                [
                    Refusal(operation, .invalidFormat, ["Content-Type"], status: 415) { _ in
                        try WireRequest(operation, WireRequest.caller() + [("Content-Type", "text/plain")], body: Array("{}".utf8))
                    },
                    Refusal(operation, .invalidFormat, ["body"]) { _ in try WireRequest(operation, WireRequest.caller(), []) },
                ]
            })

    private static let members = RefusalGroup("the members of a body", BodyMember.all.flatMap(\.refusals))

    /// Whoever needs the store says so, and no more.
    private static let faults = RefusalGroup(
        "the store fails", in: .spoiledStore,
        operations.map(\.name).filter { !["health", "readiness", "metrics", "openapi"].contains($0) }.map { operation in
            Refusal(operation, .systemBusy) { _ in
                try WireRequest(operation, WireRequest.caller() + [("Content-Type", "application/json")])
            }
        })
}

/// A member of a body, and all that can be wrong with it by itself.
private struct BodyMember: Sendable {
    let operation: String
    let name: String
    /// Bytes; nil for what is no string.
    let limit: Int?
    let isRequired: Bool

    static let all =
        strings("verifyCaptcha", ["sender": 64, "token": 64, "point_json": 256]) + strings("verifyCaptcha", ["track": 32_768], false)
        + strings("sendSMS", ["mobile": 64, "type": 64, "captcha_token": 512])
        + strings("loginBySMS", ["mobile": 64, "verify_code": 32]) + strings("loginBySMS", ["nonce": 128], false)
        + [BodyMember(operation: "logout", name: "all", limit: nil, isRequired: false)]

    private static func strings(_ operation: String, _ limits: KeyValuePairs<String, Int>, _ required: Bool = true) -> [Self] {
        limits.map { Self(operation: operation, name: $0.key, limit: $0.value, isRequired: required) }
    }

    /// What is right, so that only one member is wrong.
    private static let rest: [String: KeyValuePairs<String, JSON>] = [
        "verifyCaptcha": ["sender": "+86-13800000000", "token": "00", "point_json": .string(RefusalStage.wrongPlace)],
        "sendSMS": ["mobile": "+86-13800000000", "type": "LOGIN_SMS", "captcha_token": "none"],
        "loginBySMS": ["mobile": "+86-13800000000", "verify_code": "000000"],
        "logout": [:],
    ]

    var refusals: [Refusal] {
        var refusals = [refusal(.invalidType, limit == nil ? .string("yes") : .integer(7))]
        if let limit { refusals.append(refusal(.invalidFormat, .string(String(repeating: "1", count: limit + 1)))) }
        if isRequired { refusals += Self.nothing.map { refusal(.missingParameter, $0) } }
        return refusals
    }

    /// Absent, null and blank are the same.
    private static let nothing: [JSON?] = [.none, .some(.null), .some(.string("")), .some(.string(" "))]

    private func refusal(_ code: ErrorCode, _ value: JSON?) -> Refusal {
        Refusal(operation, code, [name]) { _ in
            let others = (Self.rest[operation] ?? [:]).filter { $0.key != name }.map { ($0.key, $0.value) }
            return try WireRequest(operation, WireRequest.caller(), .object(others + (value.map { [(name, $0)] } ?? [])))
        }
    }
}
#endif
