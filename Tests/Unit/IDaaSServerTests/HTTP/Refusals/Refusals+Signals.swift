import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets

extension Refusals {
    static let signals = RefusalGroup("polls for shared signals", secrets + polls)

    private static let secrets = [
        Refusal("pollSignals", .missingParameter, ["Authorization"], status: 401, of: []),
        Refusal("pollSignals", .invalidFormat, ["Authorization"], status: 401, of: [("Authorization", "Basic eDp5")]),
        Refusal("pollSignals", .expired, ["Authorization"], status: 401, of: [("Authorization", "Bearer none")]),
    ]

    private static let polls =
        [
            poll(.invalidFormat, ["Content-Type"], status: 415, "{}", type: "text/plain"),
            poll(.invalidFormat, ["body"], "[]"), poll(.invalidFormat, ["body"], "{\"ack\":[],\"ack\":[]}"),
        ]
        + [
            ("maxEvents", "\"7\""), ("maxEvents", "-1"), ("maxEvents", "1.5"), ("returnImmediately", "0"), ("ack", "\"1\""), ("ack", "[1]"),
            ("setErrs", "[]"), ("setErrs", "{\"1\":\"invalid_key\"}"), ("setErrs", "{\"1\":{}}"),
        ]
        .map { poll(.invalidType, [$0], "{\"\($0)\":\($1)}") }

    private static func poll(
        _ code: ServiceCode, _ arguments: [String], status: Int? = nil, _ body: String, type: String = "application/json"
    ) -> Refusal {
        Refusal("pollSignals", code, arguments, status: status) { stage in
            let stream = SignalStream(
                id: "receiver", name: "Receiver", audience: "receiver", delivery: .poll(secretDigest: Digest256.of(Array("secret".utf8))),
                created: stage.server.clock.now)
            try await stage.server.server.services.environment.store.write { try $0.save(stream) }
            let fields = [("Authorization", "Bearer secret"), ("Content-Type", type)]
            return try WireRequest("pollSignals", fields, body: Array(body.utf8), id: "receiver")
        }
    }
}
