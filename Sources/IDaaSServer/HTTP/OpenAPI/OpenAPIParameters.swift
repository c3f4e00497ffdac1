internal import IDaaSWire

/// Header fields and other parameters, each described once.
enum OpenAPIParameters {
    /// The parameters of every operation that a client calls (section 3.1 of the protocol).
    static let common = [
        "clientID", "operatingSystem", "deviceFingerprint", "agent", "deviceAddress", "tenantID", "language", "acceptLanguage", "requestID",
    ]

    static let json: JSON = [
        "clientID": header(WireHeader.clientID, "The application.", required: true, maximum: 128, example: "demo"),
        "operatingSystem": header(WireHeader.operatingSystem, "Such as Android 10.", required: true, maximum: 512, example: "Linux 6.1"),
        "deviceFingerprint": header(
            WireHeader.deviceFingerprint, "The same value for the same installation: codes and sessions are bound to it.", required: true,
            maximum: 512, example: "7d4c5b2e90aa4f16"),
        "agent": header(WireHeader.agent, "The user agent.", required: true, maximum: 512, example: "assay/1"),
        "deviceAddress": header(WireHeader.deviceAddress, "Accepted and not believed.", maximum: 64),
        "tenantID": header(WireHeader.tenantID, "Accepted; this server is one tenant.", maximum: 128),
        "language": header(
            WireHeader.language, "The language of error_msg: zh or en. Comes before Accept-Language.", maximum: 16, example: "en"),
        "acceptLanguage": header("Accept-Language", "Where X-L says nothing; otherwise English.", maximum: 256),
        "requestID": header(
            WireHeader.requestID, "A UUID, with or without hyphens; comes back. Another is replaced.", maximum: 64),
        "stateToken": header(WireHeader.stateToken, "Of the step that the code is for.", maximum: 1_024),
        "prefer": header("Prefer", "return=representation asks for a body.", maximum: 128),
        "ifNoneMatch": header("If-None-Match", "The entity tag of the copy at hand.", maximum: 512),
        "statusListID": [
            "name": "id", "in": "path", "required": true, "description": "The last segment of status.status_list.uri in an id_token.",
            "schema": ["type": "string", "minLength": 1, "maxLength": 64, "pattern": .string(OpenAPISchemas.plain)],
        ],
        "streamID": [
            "name": "id", "in": "path", "required": true, "description": "The id of a stream that is polled.",
            "schema": ["type": "string", "minLength": 1, "maxLength": 64, "pattern": .string(OpenAPISchemas.plain)],
        ],
        "sessionID": [
            "name": "id", "in": "path", "required": true, "description": "The id of a session as listed.",
            "schema": ["type": "string", "minLength": 1, "maxLength": 64, "pattern": .string(OpenAPISchemas.plain)],
        ],
    ]

    private static func header(
        _ name: String, _ description: String, required: Bool = false, maximum: Int64, example: String? = nil
    ) -> JSON {
        // No control characters and only ASCII, as in a field value (RFC 9110 section 5.5).
        var schema: [(String, JSON)] = [("type", "string"), ("maxLength", .integer(maximum))]
        if required { schema.append(("minLength", 1)) }
        schema.append(("pattern", required ? "^[!-~]([ -~]*[!-~])?$" : .string(OpenAPISchemas.plain)))
        var members: [(String, JSON)] = [
            ("name", .string(name)), ("in", "header"), ("required", .bool(required)), ("description", .string(description)),
            ("schema", .object(schema)),
        ]
        if let example { members.append(("example", .string(example))) }
        return .object(members)
    }
}
