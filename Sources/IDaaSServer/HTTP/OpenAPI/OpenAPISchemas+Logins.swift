/// The bodies of WeChat, one-click and password logins, and of second factors.
extension OpenAPISchemas {
    static let logins = entries([
        "WeChatLogin": object(
            [
                "code": string("From the WeChat app.", maximum: 256),
                "state": [
                    "type": ["string", "null"], "minLength": 22, "maxLength": 128, "pattern": "^[!-~]*$",
                    "description": "Of the authorisation: it belongs to one code for ever.",
                ],
                "nonce": nonce,
            ], required: ["code"]),
        "Binding": object(
            ["mobile": string(maximum: 64), "verify_code": string(maximum: 32), "nonce": nonce], required: ["mobile", "verify_code"]),
        "CarrierLogin": object(["access_token": string("From the carrier.", maximum: 4_096), "nonce": nonce], required: ["access_token"]),
        "PasswordLogin": object(
            ["user_name": string("A user name or a number.", maximum: 128), "password": string(maximum: 256), "nonce": nonce],
            required: ["user_name", "password"]),
        "TokensOrStep": object(
            tokens + [
                ("status", ["enum": ["SUCCESS", "USER_REGISTER", "SOCIAL_BIND", "MFA_AUTH"]]),
                ("state_token", string("Carries the login to the next step, for ten minutes; where status is not SUCCESS.")),
                ("data", string("JSON in a string: what the next step needs.")),
            ], required: ["status"]),
        "Message": object(["binding_message": optional("Shown on both devices; plain text.", maximum: 64)], required: []),
        "Ticket": object(
            [
                "auth_req_id": string(), "expires_in": seconds("For which the phone may answer."),
                "interval": seconds("Between two polls."),
                "match_code": ["type": ["string", "null"], "description": "To type on the phone."],
            ], required: ["auth_req_id", "expires_in", "interval", "match_code"]),
        "Poll": object(["auth_req_id": string(maximum: 64)], required: ["auth_req_id"]),
        "SecondFactorSMS": object(
            ["mobile": string(maximum: 64), "verify_code": string(maximum: 32)], required: ["mobile", "verify_code"]),
        "ChallengeRequest": object(["action": ["enum": ["bind", "unbind"]]], required: ["action"]),
        "Challenge": envelope(object(["challenge": string(), "expires_in": seconds()], required: ["challenge", "expires_in"])),
        "Phone": object(
            [
                ("public_key", string("SubjectPublicKeyInfo of a P-256 key in base64.", maximum: 512)),
                ("alg", string("ES256", maximum: 16)), ("challenge", string(maximum: 128)),
                ("device_name", optional("For people.", maximum: 64)),
            ] + signature, required: ["public_key", "alg", "challenge", "signature"]),
        "PhoneStatus": envelope(
            object(
                ["bound": ["type": "boolean"], "key_id": string("SHA-256 of the key."), "bound_at": digits("Milliseconds.")],
                required: ["bound"])),
        "Unbinding": object([("challenge", string(maximum: 128))] + signature, required: ["challenge", "signature"]),
        "Done": envelope(["const": true]),
        "Pending": envelope(pending),
        "Answer": object(
            [
                ("random", optional("Of the request; required with version 1.", maximum: 128)),
                ("decision", ["enum": ["approve", "deny", nil]]), ("match_code", optional("As the PC shows it.", maximum: 8)),
            ] + signature, required: ["signature"]),
    ])

    private static let signature: [(String, JSON)] = [
        ("signature", string("ECDSA with SHA-256, DER in base64.", maximum: 256)),
        (
            "sig_version",
            ["enum": [0, 1, nil], "description": "0 signs the challenge; 1 signs challenge, client, user, decision and uv, in lines."]
        ),
        ("uv", ["enum": ["biometric", "passcode", nil]]),
    ]

    private static let pending: JSON = {
        guard
            case .members(let members) = object(
                [
                    "random": string("To sign."), "clientId": string(), "clientName": string(), "created_at": digits("Milliseconds."),
                    "expires_in": seconds(), "match_required": ["type": "boolean"],
                    "ip_region": string("The network of the login: the first 24 bits of an IPv4 address, 48 of an IPv6 address."),
                    "binding_message": string(),
                ], required: ["random", "clientId", "clientName", "created_at", "expires_in", "match_required"])
        else { return nil }
        return .object([("type", ["object", "null"])] + members.dropFirst().map { ($0.name, $0.value) })
    }()

    private static func envelope(_ data: JSON) -> JSON {
        object(["code": ["const": "0"], "data": data, "message": ["type": "null"]], required: ["code", "data", "message"])
    }

    static let nonce = optional("Comes back in the id_token.", maximum: 128)

    private static func optional(_ description: String, maximum: Int64) -> JSON {
        [
            "type": ["string", "null"], "maxLength": .integer(maximum), "pattern": .string(plain), "description": .string(description),
        ]
    }
}
