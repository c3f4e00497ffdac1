/// The bodies of requests and replies.
enum OpenAPISchemas {
    static let json: JSON = .object((shared + logins + signals).map { ($0.name, $0.schema) })

    private static let shared: [(name: String, schema: JSON)] = entries([
        "Error": object(
            [
                "error_code": string("A code of the catalogue."), "error_msg": string("Its text in the language asked for."),
                "details": details,
            ],
            required: ["error_code", "error_msg"]),
        "Discovery": object(
            [
                "issuer": string(), "jwks_uri": string(), "scopes_supported": strings, "subject_types_supported": strings,
                "id_token_signing_alg_values_supported": strings, "claims_supported": strings,
            ],
            required: ["issuer", "jwks_uri", "subject_types_supported", "id_token_signing_alg_values_supported"]),
        "ServerMetadata": object(
            [
                "issuer": string(), "jwks_uri": string(), "authorization_endpoint": string(), "token_endpoint": string(),
                "registration_endpoint": string("Only where clients may register."), "scopes_supported": strings,
                "response_types_supported": strings, "grant_types_supported": strings, "code_challenge_methods_supported": strings,
                "authorization_response_iss_parameter_supported": ["const": true], "protected_resources": strings,
            ], required: ["issuer", "jwks_uri", "authorization_endpoint", "token_endpoint", "response_types_supported"]),
        "KeySet": object(
            [
                "keys": [
                    "type": "array",
                    "items": object(
                        [
                            "kty": string(), "kid": string(), "use": string(), "alg": string(), "n": string(), "e": string(),
                            "crv": string(), "x": string(), "y": string(),
                        ], required: ["kty", "kid", "use", "alg"]),
                ]
            ], required: ["keys"]),
        "ServerDate": object(["timestamp": digits("Milliseconds since 1970-01-01 UTC.")], required: ["timestamp"]),
        "PublicKey": object(["public_key": string("SubjectPublicKeyInfo in PEM.")], required: ["public_key"]),
        "CountryCodes": object(
            [
                "phoneAreaCodeDefinitions": [
                    "type": "array",
                    "items": object(
                        [
                            "areaCode": string(), "countryCode": string(), "mobileRegex": string(), "areaCodeSuffixes": ["type": "array"],
                            "displayMapping": ["type": "object", "additionalProperties": string()],
                        ], required: ["areaCode", "countryCode", "mobileRegex"]),
                ],
                "preferredAreaCode": string("A country code, such as CN."),
            ], required: ["phoneAreaCodeDefinitions", "preferredAreaCode"]),
        "Captcha": captcha,
        "CaptchaCheck": object(
            [
                "token": string("Of the captcha.", maximum: 64),
                "point_json": string("The piece's place as JSON in a string: {\"x\":237.0,\"y\":5.0}", maximum: 256),
                "sender": string("The number that the SMS is for.", maximum: 64),
                "track": [
                    "type": ["array", "string", "null"], "description": "How the piece was moved: [{x, y, t}]. Optional.", "items": [:],
                ],
            ], required: ["token", "point_json", "sender"]),
        "CaptchaToken": object(["captcha_token": string("Opaque; for one SMS to that number within 180 s.")], required: ["captcha_token"]),
        "SMSRequest": object(
            [
                "mobile": string("+86-13800000000 or 13800000000", maximum: 64),
                "type": string(
                    "LOGIN_SMS; REGISTER_SMS, BIND_MOBILE_SMS and MFA_AUTH_SMS with the state token of their step.", maximum: 64),
                "captcha_token": string(maximum: 512),
            ], required: ["mobile", "type", "captcha_token"]),
        "SMSReceipt": object(
            ["expire": seconds("For which the code is good."), "interval": seconds("Until the next may be asked for.")],
            required: ["expire", "interval"]),
        "SMSLogin": object(
            [
                "mobile": string(maximum: 64), "verify_code": string(maximum: 32),
                "nonce": nonce,
            ], required: ["mobile", "verify_code"]),
        "Tokens": object(tokens + [("status", ["const": "SUCCESS"])], required: tokens.map(\.0) + ["status"]),
        "RefreshedTokens": object(tokens, required: tokens.map(\.0)),
        "IDToken": object(["id_token": string("A signed JWT.")], required: ["id_token"]),
        "Logout": object(["all": ["type": ["boolean", "null"], "description": "End the user's other sessions too."]], required: []),
        "Empty": object([:], required: []),
        "Sessions": object(["sessions": ["type": "array", "items": session]], required: ["sessions"]),
        "Status": object(["status": string(), "missing": ["type": "array", "items": requirement]], required: ["status"]),
    ])

    private static let requirement: JSON = ["enum": .array(Readiness.Requirement.allCases.map { .string($0.rawValue) })]

    static func entries(_ schemas: KeyValuePairs<String, JSON>) -> [(name: String, schema: JSON)] {
        schemas.map { (name: $0.key, schema: $0.value) }
    }

    static let tokens: [(String, JSON)] = [
        ("session_token", string("Opaque.")), ("expire", seconds("Until the session ends if it is not used.")),
        ("id_token", string("A signed JWT.")), ("id_token_expires_in", seconds("Until the id_token expires.")),
    ]

    private static let details = object(
        [
            "args": strings, "remaining": ["type": "integer", "minimum": 0, "description": "Tries that are left."],
            "retry_after": seconds("Until a repetition makes sense."),
        ], required: [])

    private static let captcha: JSON = {
        let absent = ["captchaId", "projectCode", "captchaOriginalPath", "captchaFontType", "captchaFontSize", "secretKey", "point"]
        let absentToo = ["wordList", "pointList", "pointJson", "captchaVerification"]
        let present: [(String, JSON)] = [
            ("originalImageBase64", string("PNG with a hole.")), ("jigsawImageBase64", string("PNG of the piece, of the same height.")),
            ("token", string("32 hexadecimal digits.")), ("result", ["const": false]), ("expire", seconds("For which it can be solved.")),
            ("width", integer), ("height", integer), ("block_width", integer),
        ]
        let nothing = (absent + absentToo).map { ($0, ["type": "null"] as JSON) }
        return object(nothing + present, required: absent + absentToo + present.map(\.0))
    }()

    private static let session = object(
        [
            "id": string(), "current": ["type": "boolean"], "device_name": string(),
            "created_at": digits("Milliseconds."), "last_used_at": digits("Milliseconds."), "expires_at": digits("Milliseconds."),
        ], required: ["id", "current", "device_name", "created_at", "last_used_at", "expires_at"])

    static let strings: JSON = ["type": "array", "items": ["type": "string"]]
    private static let integer: JSON = ["type": "integer", "minimum": 0]

    private static let controls = "\\x00-\\x1f\\x7f-\\x9f"
    /// No control character (``JSONBody``).
    static let plain = "^[^\(controls)]*$"
    /// Nor is it blank, which counts as absent.
    private static let visible = "^[^\(controls)]*[^ \(controls)][^\(controls)]*$"

    static func string(_ description: String? = nil, maximum: Int64? = nil) -> JSON {
        var members: [(String, JSON)] = [("type", "string")]
        if let maximum { members += [("minLength", 1), ("maxLength", .integer(maximum)), ("pattern", .string(visible))] }
        if let description { members.append(("description", .string(description))) }
        return .object(members)
    }

    static func digits(_ description: String) -> JSON {
        ["type": "string", "pattern": "^[0-9]+$", "description": .string(description)]
    }

    static func seconds(_ what: String = "") -> JSON {
        ["type": "integer", "minimum": 0, "description": .string(what.isEmpty ? "Seconds." : "Seconds. \(what)")]
    }

    static func object(_ members: KeyValuePairs<String, JSON>, required: [String]) -> JSON {
        object(members.map { ($0.key, $0.value) }, required: required)
    }

    static func object(_ members: [(String, JSON)], required: [String]) -> JSON {
        var schema: [(String, JSON)] = [("type", "object"), ("properties", .object(members))]
        if !required.isEmpty { schema.append(("required", .array(required.map(JSON.string)))) }
        return .object(schema)
    }
}
