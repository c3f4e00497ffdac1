internal import IDaaSWire

/// Error replies, and the header fields of all replies.
enum OpenAPIResponses {
    static let headers: JSON = [
        "X-Request-Id": ["schema": ["type": "string"], "description": "Names the request in the server's records."]
    ]

    static let json: JSON = [
        "ContentTooLarge": error("The body is larger than 64 KiB.", [.invalidFormat]),
        "UnsupportedMediaType": error("The body is not application/json in UTF-8.", [.invalidFormat]),
        "NotFound": error("There is nothing here.", [.invalidParameter]),
        "SystemBusy": error("Something failed that is not the caller's doing.", [.systemBusy]),
        "Unavailable": later("There is no memory for the answer, or the store does not answer.", [.systemBusy]),
        "RateLimited": later("A limit is reached.", [.rateLimited]),
    ]

    static func reference(_ name: String) -> JSON { ["$ref": "#/components/responses/\(name)"] }

    /// A refusal with one of `codes`.
    static func error(_ description: String, _ codes: [ServiceCode]) -> JSON {
        let schema: JSON = [
            "allOf": [
                ["$ref": "#/components/schemas/Error"],
                ["properties": ["error_code": ["enum": .array(codes.map { .string($0.rawValue) })]]],
            ]
        ]
        let texts = codes.map { "`\($0.rawValue)` \($0.template(in: .english))" }.joined(separator: "  \n")
        return ["description": .string(description + "\n\n" + texts), "headers": headers, "content": OpenAPIOperation.content(schema)]
    }

    /// A refusal with `Retry-After`.
    private static func later(_ description: String, _ codes: [ServiceCode]) -> JSON {
        guard case .members(var members) = error(description, codes) else { return nil }
        members[1] = JSON.Member(
            name: "headers",
            value: [
                "X-Request-Id": ["schema": ["type": "string"]],
                "Retry-After": ["schema": ["type": "integer", "minimum": 1], "description": "Seconds."],
            ])
        return .members(members)
    }
}
