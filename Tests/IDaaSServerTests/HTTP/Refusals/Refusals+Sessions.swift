#if IDaaS
import IDaaSServer
import IDaaSTestSupport
import Testing

extension Refusals {
    static let signatures = RefusalGroup("session tokens and signatures", tokens + keys + signed)

    private static let tokens = ["refresh", "logout", "logoutByGet"].flatMap { operation in
        [
            Refusal(operation, .missingParameter, ["session-token"]) { _ in try WireRequest(operation) },
            Refusal(operation, .invalidFormat, ["session-token"]) { _ in
                try WireRequest(operation, WireRequest.caller() + [("session-token", String(repeating: "x", count: 129))])
            },
        ]
    }

    private static let keys = ["publicKey", "refreshBySignature", "logout", "logoutByGet"].map { operation in
        Refusal(operation, .missingApplicationKey) { _ in
            try WireRequest(operation, WireRequest.caller(RefusalStage.withoutKey) + [("X-signature", "AAAA")])
        }
    }

    private static let signed =
        ["refreshBySignature", "logout", "logoutByGet"].map { operation in
            Refusal(operation, .undecryptableSignature) { _ in
                try WireRequest(operation, WireRequest.caller() + [("X-signature", "nonsense")])
            }
        } + [
            Refusal("refreshBySignature", .missingParameter, ["X-signature"]) { _ in try WireRequest("refreshBySignature") },
            Refusal("refreshBySignature", .invalidFormat, ["X-signature"]) { _ in
                try WireRequest("refreshBySignature", WireRequest.caller() + [("X-signature", String(repeating: "A", count: 4_097))])
            },
            Refusal("refreshBySignature", .expired, ["session_token"]) { stage in
                try WireRequest("refreshBySignature", WireRequest.caller() + [try await stage.signature(of: "none")])
            },
            Refusal("refresh", .expired, ["session_token"]) { _ in
                try WireRequest("refresh", WireRequest.caller() + [("session-token", "none")])
            },
        ]

    static let sessions = RefusalGroup(
        "one's own sessions",
        ["listSessions", "endSession"].flatMap(bearer)
            + ["nobody", String(repeating: "x", count: 65)].map { id in
                Refusal("endSession", .invalidParameter, ["id"]) { stage in
                    try WireRequest("endSession", WireRequest.caller() + [try await stage.authorization()], id: id)
                }
            })

    private static func bearer(of operation: String) -> [Refusal] {
        [
            Refusal(operation, .missingParameter, ["Authorization"]) { _ in try WireRequest(operation) },
            Refusal(operation, .invalidFormat, ["Authorization"]) { _ in
                try WireRequest(operation, WireRequest.caller() + [("Authorization", "Basic eA==")])
            },
            Refusal(operation, .invalidFormat, ["Authorization"]) { _ in
                try WireRequest(operation, WireRequest.caller() + [("Authorization", "Bearer " + String(repeating: "x", count: 8_192))])
            },
            Refusal(operation, .expired, ["id_token"]) { _ in
                try WireRequest(operation, WireRequest.caller() + [("Authorization", "Bearer nonsense")])
            },
            Refusal(operation, .expired, ["id_token"]) { stage in
                let tokens = try await stage.logIn()
                #expect(try await stage.server.wire().logOut(tokens.sessionToken).status == 200)
                return try WireRequest(operation, WireRequest.caller() + [("Authorization", "Bearer " + tokens.idToken)])
            },
        ]
    }
}
#endif
