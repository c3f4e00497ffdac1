internal import Foundation

/// Speaks only the wire protocol: header fields, paths and JSON as in the documents. It shares no code with the flows.
package struct WireClient: Sendable {
    package var url: String
    package var client: String
    package var device: String
    package var language: String?
    package var extraFields: [(String, String)] = []

    package init(url: String, client: String, device: String) {
        self.url = url
        self.client = client
        self.device = device
    }

    /// The common header fields.
    package var fields: [(String, String)] {
        [
            ("X-client-id", client), ("X-operating-sys-version", "Linux 6.1"), ("X-device-fingerprint", device), ("X-agent", "wire/1"),
        ] + (language.map { [("X-L", $0)] } ?? []) + extraFields
    }

    package func get(_ path: String, adding more: [(String, String)] = []) async throws -> WireReply {
        try await send("GET", path, fields + more)
    }

    package func post(_ path: String, _ body: [String: Any], adding more: [(String, String)] = []) async throws -> WireReply {
        try await send(
            "POST", path, fields + [("Content-Type", "application/json;charset=utf8")] + more,
            body: Array(try JSONSerialization.data(withJSONObject: body)))
    }

    package func post(_ path: String, adding more: [(String, String)] = []) async throws -> WireReply {
        try await send("POST", path, fields + more)
    }

    package func delete(_ path: String, adding more: [(String, String)] = []) async throws -> WireReply {
        try await send("DELETE", path, fields + more)
    }

    /// A request with these fields, on a connection of its own.
    package func send(_ method: String, _ path: String, _ fields: [(String, String)], body: [UInt8]? = nil) async throws -> WireReply {
        try await WireExchange(url + path, method: method, fields: fields, body: body).reply()
    }
}

/// An answer as received.
package struct WireReply: Sendable {
    package let status: Int
    package let fields: [(String, String)]
    package let body: [UInt8]

    package func field(_ name: String) -> String? { fields.first { $0.0.lowercased() == name.lowercased() }?.1 }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The members of a JSON object; empty for any other body.
    package var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }

    package func string(_ name: String) -> String? { json[name] as? String }
    package func integer(_ name: String) -> Int? { (json[name] as? NSNumber)?.intValue }

    package var errorCode: String? { string("error_code") }
    package var errorText: String? { string("error_msg") }
    package var details: [String: Any] { json["details"] as? [String: Any] ?? [:] }
}
