#if IDaaS
/// Header fields and other parameters, each described once.
enum OpenAPIParameters {
    /// Those of every operation that a client calls (section 3.1 of the protocol).
    static let common = [
        "clientID", "operatingSystem", "deviceFingerprint", "agent", "deviceAddress", "tenantID", "language", "acceptLanguage", "requestID",
    ]

    static let json: JSON = [
        "clientID": header("X-client-id", "The application.", required: true, maximum: 128, example: "demo"),
        "operatingSystem": header("X-operating-sys-version", "Such as Android 10.", required: true, maximum: 512, example: "Linux 6.1"),
        "deviceFingerprint": header(
            "X-device-fingerprint", "The same value for the same installation: codes and sessions are bound to it.", required: true,
            maximum: 512, example: "7d4c5b2e90aa4f16"),
        "agent": header("X-agent", "The user agent.", required: true, maximum: 512, example: "assay/1"),
        "deviceAddress": header("X-device-ip", "Accepted and not believed.", maximum: 64),
        "tenantID": header("X-tenant-id", "Accepted; this server is one tenant.", maximum: 128),
        "language": header("X-L", "The language of error_msg: zh or en. Comes before Accept-Language.", maximum: 16, example: "en"),
        "acceptLanguage": header("Accept-Language", "Where X-L says nothing; otherwise Chinese.", maximum: 256),
        "requestID": header("X-Request-Id", "Comes back; made up where it is absent or not 1 to 64 of A-Z a-z 0-9 . _ -", maximum: 64),
        "prefer": header("Prefer", "return=representation asks for a body.", maximum: 128),
        "ifNoneMatch": header("If-None-Match", "The entity tag of the copy at hand.", maximum: 512),
        "sessionID": [
            "name": "id", "in": "path", "required": true, "description": "The id of a session as listed.",
            "schema": ["type": "string", "minLength": 1, "maxLength": 64],
        ],
    ]

    private static func header(
        _ name: String, _ description: String, required: Bool = false, maximum: Int64, example: String? = nil
    ) -> JSON {
        // No control characters and nothing beyond ASCII: what a field value is (RFC 9110 section 5.5).
        var schema: [(String, JSON)] = [("type", "string"), ("maxLength", .integer(maximum))]
        if required {
            schema.append(("minLength", 1))
            schema.append(("pattern", "^[!-~]([ -~]*[!-~])?$"))
        }
        var members: [(String, JSON)] = [
            ("name", .string(name)), ("in", "header"), ("required", .bool(required)), ("description", .string(description)),
            ("schema", .object(schema)),
        ]
        if let example { members.append(("example", .string(example))) }
        return .object(members)
    }
}
#endif
