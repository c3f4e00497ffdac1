internal import IDaaSWire

/// Shared signals.
enum SignalOperations {
    static let all = [
        OpenAPIOperation(
            method: "get", path: SignalPath.configuration, name: "signalConfiguration", tag: "Signals",
            summary: "What receivers have to know (OpenID SSF 1.0)", hasCaller: false, canFail: false,
            parameters: ["ifNoneMatch", "requestID"],
            replies: [
                OpenAPIOperation.ok("What is served and no more.", "SignalConfiguration"),
                ("304", ["description": "The copy at hand is still right.", "headers": OpenAPIResponses.headers]),
            ]),
        OpenAPIOperation(
            method: "post", path: SignalPath.poll(), name: "pollSignals", tag: "Signals",
            summary: "Ask for security event tokens (RFC 8936)",
            note: """
                Answers when there is a token, or after 25 s with none. A token comes again until it is in ack or setErrs.
                """, hasCaller: false, security: ["signalSecret"], parameters: ["streamID", "requestID"], body: ("SignalPoll", false),
            replies: [
                OpenAPIOperation.ok("The oldest tokens.", "SignalSets"),
                (
                    "401",
                    OpenAPIResponses.error(
                        "No secret of a stream that is polled.", [.missingParameter, .invalidFormat, .expired])
                ),
            ], errors: [.invalidType]),
    ]
}

extension OpenAPISchemas {
    static let signals: [(name: String, schema: JSON)] = entries([
        "SignalConfiguration": object(
            [
                "spec_version": string(), "issuer": string(), "jwks_uri": string(),
                "delivery_methods_supported": strings, "critical_subject_members": strings, "default_subjects": string(),
            ], required: ["spec_version", "issuer", "jwks_uri", "delivery_methods_supported"]),
        "SignalPoll": object(
            [
                "maxEvents": ["type": "integer", "minimum": 0, "description": "At most so many tokens; 0 for none. At most 1,000 come."],
                "returnImmediately": ["type": "boolean", "description": "Do not wait for a token."],
                "ack": ["type": "array", "items": ["type": "string"], "description": "The jti of tokens that the receiver has."],
                "setErrs": [
                    "type": "object", "description": "By jti, why the receiver will never take a token (RFC 8935 section 2.4).",
                    "additionalProperties": object(["err": string(), "description": string()], required: ["err"]),
                ],
            ], required: []),
        "SignalSets": object(
            [
                "sets": ["type": "object", "additionalProperties": string("A signed JWT."), "description": "Tokens by their jti."],
                "moreAvailable": ["type": "boolean"],
            ], required: ["sets", "moreAvailable"]),
    ])
}
