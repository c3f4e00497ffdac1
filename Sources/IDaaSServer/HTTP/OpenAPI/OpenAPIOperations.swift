internal import IDaaSWire

/// Endpoints 1 to 5, and the status lists.
enum DiscoveryOperations {
    private static let notModified: (String, JSON) = (
        "304", ["description": "The copy at hand is still right.", "headers": OpenAPIResponses.headers]
    )

    static let all = [
        OpenAPIOperation(
            method: "get", path: WirePath.discovery, name: "discovery", tag: "Discovery",
            summary: "What relying parties have to know", hasCaller: false, parameters: ["ifNoneMatch", "requestID"],
            replies: [OpenAPIOperation.ok("OpenID Connect Discovery 1.0, what is served and no more.", "Discovery"), notModified]),
        metadata(WirePath.serverMetadata, "serverMetadata"), metadata(WirePath.rootServerMetadata, "rootServerMetadata"),
        OpenAPIOperation(
            method: "get", path: WirePath.keys, name: "keys", tag: "Discovery", summary: "The keys of id_tokens (RFC 7517)",
            note: "A key is here 24 h before it signs, and until everything it signed has expired. Keep the set for max-age.",
            hasCaller: false, parameters: ["ifNoneMatch", "requestID"],
            replies: [OpenAPIOperation.ok("Keys: the next, the active and the retiring.", "KeySet"), notModified]),
        OpenAPIOperation(
            method: "get", path: WirePath.statusList(), name: "statusList", tag: "Discovery",
            summary: "A status list (draft-ietf-oauth-status-list-20)",
            note: """
                The claim status of an id_token names a list and a place in it. 1 there says that the session has ended. A list is here \
                until every id_token that names it has expired.
                """, hasCaller: false, parameters: ["statusListID", "ifNoneMatch", "requestID"],
            replies: [
                (
                    "200",
                    OpenAPIOperation.reply(
                        "A Status List Token, for max-age.",
                        content: ["application/statuslist+jwt": ["schema": OpenAPISchemas.string("A signed JWT.")]])
                ), notModified, ("404", OpenAPIResponses.reference("NotFound")),
                ("501", OpenAPIResponses.error("The query has `time`: past lists are not kept.", [.invalidParameter])),
            ]),
        OpenAPIOperation(
            method: "get", path: WirePath.serverDate, name: "serverDate", tag: "System", summary: "The server's clock",
            replies: [OpenAPIOperation.ok("The time.", "ServerDate")]),
        OpenAPIOperation(
            method: "get", path: WirePath.publicKey, name: "publicKey", tag: "System", summary: "The key for X-signature",
            replies: [OpenAPIOperation.ok("The client's public key.", "PublicKey")], errors: [.missingApplicationKey]),
        OpenAPIOperation(
            method: "get", path: WirePath.areaCodes, name: "countryCodes", tag: "System", summary: "Numbers that are served",
            replies: [OpenAPIOperation.ok("Area codes and the form of their numbers.", "CountryCodes")]),
    ]

    private static func metadata(_ path: String, _ name: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: "get", path: path, name: name, tag: "Discovery", summary: "What clients of OAuth have to know (RFC 8414)",
            hasCaller: false, parameters: ["ifNoneMatch", "requestID"],
            replies: [OpenAPIOperation.ok("What is served and no more.", "ServerMetadata"), notModified])
    }
}

/// Endpoints 6 to 9.
enum CaptchaOperations {
    static let all = [
        OpenAPIOperation(
            method: "get", path: WirePath.captcha, name: "captcha", tag: "Captcha", summary: "A slider to solve",
            replies: [
                OpenAPIOperation.ok("Two pictures; the piece's place is in neither.", "Captcha", links: OpenAPILinks.captcha)
            ], errors: [.rateLimited]),
        OpenAPIOperation(
            method: "post", path: WirePath.captchaCheck, name: "verifyCaptcha", tag: "Captcha", summary: "Solve it",
            note: "Once, right or wrong, within 120 s.", body: ("CaptchaCheck", false),
            replies: [OpenAPIOperation.ok("Solved.", "CaptchaToken", links: OpenAPILinks.captchaToken)],
            errors: [.invalidType, .sliderUnreadable, .sliderMismatch, .rateLimited]),
        OpenAPIOperation(
            method: "post", path: WirePath.smsSend, name: "sendSMS", tag: "SMS", summary: "Send a code",
            note: """
                Answers when the gateway has taken the message, or after 3 s with SMS.1008. Types other than LOGIN_SMS need the state token of \
                the step that they are for.
                """, parameters: ["prefer", "stateToken"],
            body: ("SMSRequest", false),
            replies: [
                OpenAPIOperation.ok(
                    "Sent. Without a body unless return=representation was preferred.", "SMSReceipt", links: OpenAPILinks.message)
            ],
            errors: [
                .invalidType, .expired, .invalidParameter, .unknownConfiguration, .locked, .captchaIncorrect, .unknownScenario,
                .sendingFailed, .mobileMismatch, .rateLimited,
            ]),
        OpenAPIOperation(
            method: "post", path: WirePath.smsLogin, name: "loginBySMS", tag: "Login", summary: "Log in with the code",
            body: ("SMSLogin", false), replies: [OpenAPIOperation.ok("Logged in.", "Tokens", links: OpenAPILinks.tokens)],
            errors: [.invalidType, .unknownConfiguration, .unknownUser, .locked, .smsCodeIncorrect, .rateLimited]),
    ]
}

/// Endpoints 14 to 16 and 27.
enum SessionOperations {
    private static let logoutNote = """
        The session and all its successors end, and with `all`, where the token is the living one, all the user's other sessions too. Again is \
        no error.
        """

    static let all = [
        OpenAPIOperation(
            method: "post", path: WirePath.refresh, name: "refresh", tag: "Sessions", summary: "A fresh id_token",
            note: """
                The session token changes with it. The old one gives the same successor for 30 s, from its own device; later, or from \
                another, it ends the session.
                """, security: ["sessionToken"],
            replies: [OpenAPIOperation.ok("Refreshed.", "RefreshedTokens", links: OpenAPILinks.tokens)],
            errors: [.expired]),
        OpenAPIOperation(
            method: "post", path: WirePath.signedRefresh, name: "refreshBySignature", tag: "Sessions",
            summary: "A fresh id_token, by signature", security: ["signature"],
            replies: [OpenAPIOperation.ok("Refreshed; the session token stays.", "IDToken", links: OpenAPILinks.idToken)],
            errors: [.undecryptableSignature, .expired, .missingApplicationKey]),
        logout("post", "logout", body: ("Logout", true)),
        logout("get", "logoutByGet", body: nil),
        OpenAPIOperation(
            method: "get", path: WirePath.sessions, name: "listSessions", tag: "Sessions", summary: "One's own sessions",
            security: ["bearer"], replies: [OpenAPIOperation.ok("Those that live.", "Sessions", links: OpenAPILinks.sessions)],
            errors: [.expired]),
        OpenAPIOperation(
            method: "delete", path: WirePath.session(), name: "endSession", tag: "Sessions", summary: "End one of them",
            security: ["bearer"], parameters: ["sessionID"], replies: [OpenAPIOperation.ok("Ended.", "Empty")],
            errors: [.expired, .invalidParameter]),
    ]

    private static func logout(_ method: String, _ name: String, body: (schema: String, isOptional: Bool)?) -> OpenAPIOperation {
        OpenAPIOperation(
            method: method, path: WirePath.logout, name: name, tag: "Sessions", summary: "Log out", note: logoutNote,
            security: ["sessionToken", "signature"], body: body, replies: [OpenAPIOperation.ok("Logged out.", "Empty")],
            errors: (body == nil ? [] : [.invalidType]) + [.undecryptableSignature, .missingApplicationKey])
    }
}

/// For operators.
enum OperationsOperations {
    static let all = [
        OpenAPIOperation(
            method: "get", path: "/healthz", name: "health", tag: "Operations", summary: "Is it up", hasCaller: false, canFail: false,
            parameters: ["requestID"], replies: [OpenAPIOperation.ok("It is.", "Status")]),
        OpenAPIOperation(
            method: "get", path: "/readyz", name: "readiness", tag: "Operations", summary: "Can it work", hasCaller: false, canFail: false,
            parameters: ["requestID"],
            replies: [
                OpenAPIOperation.ok("It can.", "Status"),
                ("503", OpenAPIOperation.reply("It cannot: `missing` says for want of what.", "Status")),
            ]),
        OpenAPIOperation(
            method: "get", path: "/metrics", name: "metrics", tag: "Operations", summary: "What it counts",
            note: "For the configured readers, loopback unless told otherwise; for others there is nothing here.", hasCaller: false,
            canFail: false, parameters: ["requestID"],
            replies: [
                ("200", OpenAPIOperation.reply("Text exposition format 0.0.4.", content: ["text/plain": ["schema": ["type": "string"]]])),
                ("404", OpenAPIResponses.reference("NotFound")),
            ]),
        OpenAPIOperation(
            method: "get", path: "/openapi.json", name: "openapi", tag: "Operations", summary: "This document", hasCaller: false,
            canFail: false, parameters: ["requestID"],
            replies: [("200", OpenAPIOperation.reply("OpenAPI 3.1.", content: OpenAPIOperation.content(["type": "object"])))]),
    ]
}
