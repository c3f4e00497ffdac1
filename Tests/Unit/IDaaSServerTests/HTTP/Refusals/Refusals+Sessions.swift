import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

extension Refusals {
    static let signatures = RefusalGroup("session tokens and signatures", tokens + keys + signed)

    private static let tokens = ["refresh", "logout", "logoutByGet"].flatMap { operation in
        [
            Refusal(operation, .missingParameter, ["session-token"], of: WireRequest.caller()),
            Refusal(operation, .invalidFormat, ["session-token"], adding: ("session-token", String(repeating: "x", count: 129))),
        ]
    }

    private static let keys = ["publicKey", "refreshBySignature", "logout", "logoutByGet"].map { operation in
        Refusal(operation, .missingApplicationKey, of: WireRequest.caller(RefusalStage.withoutKey) + [("X-signature", "AAAA")])
    }

    private static let signed =
        ["refreshBySignature", "logout", "logoutByGet"].map { operation in
            Refusal(operation, .undecryptableSignature, adding: ("X-signature", "nonsense"))
        } + [
            Refusal("refreshBySignature", .missingParameter, ["X-signature"], of: WireRequest.caller()),
            Refusal(
                "refreshBySignature", .invalidFormat, ["X-signature"], adding: ("X-signature", String(repeating: "A", count: 4_097))),
            Refusal("refreshBySignature", .expired, ["session_token"]) { stage in
                try WireRequest("refreshBySignature", WireRequest.caller() + [try await stage.signature(of: "none")])
            },
            Refusal("refresh", .expired, ["session_token"], adding: ("session-token", "none")),
        ]

    static let sessions = RefusalGroup(
        "one's own sessions",
        [
            "listSessions", "endSession", "phoneStatus", "phoneChallenge", "bindPhone", "unbindPhone", "pendingApproval",
            "respondToApproval",
        ].flatMap(bearer)
            + ["nobody", String(repeating: "x", count: 65)].map { id in
                Refusal("endSession", .invalidParameter, ["id"]) { stage in
                    try WireRequest("endSession", WireRequest.caller() + [try await stage.authorization()], id: id)
                }
            })

    private static func bearer(of operation: String) -> [Refusal] {
        [
            Refusal(operation, .missingParameter, ["Authorization"], of: WireRequest.caller()),
            Refusal(operation, .invalidFormat, ["Authorization"], adding: ("Authorization", "Basic eA==")),
            Refusal(
                operation, .invalidFormat, ["Authorization"], adding: ("Authorization", "Bearer " + String(repeating: "x", count: 8_192))),
            Refusal(operation, .expired, ["id_token"], adding: ("Authorization", "Bearer nonsense")),
            Refusal(operation, .expired, ["id_token"]) { stage in
                let tokens = try await stage.logIn()
                #expect(try await stage.server.wire().logOut(tokens.sessionToken).status == 200)
                return try WireRequest(operation, WireRequest.caller() + [("Authorization", "Bearer " + tokens.idToken)])
            },
        ]
    }
}
