internal import IDaaSWire

/// Endpoints 10 to 13: WeChat and one-click login.
enum ProviderOperations {
    static let all = [
        OpenAPIOperation(
            method: "post", path: WirePath.wechatLogin, name: "loginByWeChat", tag: "Login", summary: "Log in with a code of WeChat",
            note: """
                A code works once. The same request from the same device has the same answer for 30 s. An unknown account has to be bound \
                (SOCIAL_BIND) or registered (USER_REGISTER) with the state token.
                """, body: ("WeChatLogin", false),
            replies: [("200", OpenAPIOperation.reply("Logged in, or the step that has to follow.", "TokensOrStep"))],
            errors: [
                .invalidType, .expired, .invalidParameter, .unknownUser, .interfaceFailed, .wechatSource, .rateLimited,
            ]),
        binding(
            WirePath.socialBind, "bindSocialAccount", "Bind the account to a user",
            "With an SMS code of type BIND_MOBILE_SMS, for the number of an existing user."),
        binding(
            WirePath.socialRegister, "registerSocialAccount", "Register with the account",
            "With an SMS code of type REGISTER_SMS. A number that has a user gets no second one: that user is bound."),
        OpenAPIOperation(
            method: "post", path: WirePath.oneClickLogin, name: "loginByCarrier", tag: "Login", summary: "Log in with a carrier's token",
            note: "The server asks for the number once for each token. The same request has the same answer for 30 s.",
            body: ("CarrierLogin", false), replies: [("200", OpenAPIOperation.reply("Logged in.", "Tokens", links: OpenAPILinks.tokens))],
            errors: [.invalidType, .expired, .unknownUser, .interfaceFailed, .oneClickSource, .rateLimited]),
    ]

    private static func binding(_ path: String, _ name: String, _ summary: String, _ note: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method: "post", path: path, name: name, tag: "Login", summary: summary, note: note, security: ["stateToken"],
            body: ("Binding", false), replies: [("200", OpenAPIOperation.reply("Logged in.", "Tokens", links: OpenAPILinks.tokens))],
            errors: [
                .invalidType, .expired, .invalidParameter, .unknownUser, .locked, .wechatSource, .smsCodeIncorrect, .socialBound,
                .mobileBoundElsewhere, .rateLimited,
            ])
    }
}

/// Endpoints 23 to 26: the PC.
enum SecondFactorOperations {
    static let all = [
        OpenAPIOperation(
            method: "post", path: WirePath.passwordLogin, name: "loginByPassword", tag: "Login", summary: "Log in with a password",
            note: "With status MFA_AUTH a second factor has to follow; data names those that the user has.",
            body: ("PasswordLogin", false),
            replies: [("200", OpenAPIOperation.reply("Logged in, or the step that has to follow.", "TokensOrStep"))],
            errors: [.invalidType, .unknownConfiguration, .locked, .invalidPassword, .rateLimited]),
        OpenAPIOperation(
            method: "post", path: WirePath.bioInitiate, name: "requestApproval", tag: "Second factor", summary: "Ask the user's phone",
            note: "A new request cancels the user's last one. More than five in ten minutes are refused.", security: ["stateToken"],
            body: ("Message", true), replies: [("200", OpenAPIOperation.reply("Asked.", "Ticket"))],
            errors: [.invalidType, .expired, .invalidParameter, .accessPolicy, .deviceNotBound, .rateLimited]),
        OpenAPIOperation(
            method: "post", path: WirePath.bioPoll, name: "pollApproval", tag: "Second factor", summary: "The phone's answer",
            note: """
                As the token endpoint of OpenID CIBA: error is authorization_pending, slow_down (the interval is five seconds longer from \
                now on), access_denied or expired_token. The tokens are delivered once.
                """, security: ["stateToken"], body: ("Poll", false),
            replies: [("200", OpenAPIOperation.reply("Approved.", "Tokens", links: OpenAPILinks.tokens))],
            errors: [
                .invalidType, .expired, .invalidParameter, .authorizationPending, .pollingTooFast, .requestDenied, .requestExpired,
            ]),
        OpenAPIOperation(
            method: "post", path: WirePath.secondFactorSMS, name: "secondFactorBySMS", tag: "Second factor",
            summary: "An SMS code instead of the phone's answer", note: "Of type MFA_AUTH_SMS, to the user's number.",
            security: ["stateToken"], body: ("SecondFactorSMS", false),
            replies: [("200", OpenAPIOperation.reply("Logged in.", "Tokens", links: OpenAPILinks.tokens))],
            errors: [.invalidType, .expired, .invalidParameter, .locked, .smsCodeIncorrect, .mobileMismatch, .rateLimited]),
    ]
}

/// Endpoints 17 to 22: the phone.
enum PhoneOperations {
    static let all = [
        OpenAPIOperation(
            method: "get", path: WirePath.bioDevice, name: "phoneStatus", tag: "Second factor", summary: "Is a phone bound",
            security: ["bearer"], replies: [("200", OpenAPIOperation.reply("Yes or no.", "PhoneStatus"))], errors: [.expired]),
        OpenAPIOperation(
            method: "post", path: WirePath.bioChallenge, name: "phoneChallenge", tag: "Second factor",
            summary: "A challenge to bind or unbind", note: "For one use within 120 s.", security: ["bearer"],
            body: ("ChallengeRequest", false), replies: [("200", OpenAPIOperation.reply("To sign.", "Challenge"))],
            errors: [.invalidType, .expired, .invalidParameter, .rateLimited]),
        OpenAPIOperation(
            method: "post", path: WirePath.bioDevice, name: "bindPhone", tag: "Second factor", summary: "Bind the phone's key",
            note: "Within ten minutes of a login; later the answer is COMMON.1005 with {0} = auth_time.", security: ["bearer"],
            body: ("Phone", false), replies: [("200", OpenAPIOperation.reply("Bound.", "Done"))],
            errors: [
                .invalidType, .expired, .invalidParameter, .accessPolicy, .deviceBound, .requestExpired, .signatureInvalid,
            ]),
        OpenAPIOperation(
            method: "post", path: WirePath.bioUnbind, name: "unbindPhone", tag: "Second factor", summary: "Unbind the phone's key",
            note: "With its signature. For a lost phone an administrator unbinds it.", security: ["bearer"], body: ("Unbinding", false),
            replies: [("200", OpenAPIOperation.reply("Unbound.", "Done"))],
            errors: [.invalidType, .expired, .invalidParameter, .deviceNotBound, .requestExpired, .signatureInvalid]),
        OpenAPIOperation(
            method: "get", path: WirePath.bioPending, name: "pendingApproval", tag: "Second factor", summary: "What waits for the phone",
            security: ["bearer"], replies: [("200", OpenAPIOperation.reply("A request, or null.", "Pending"))],
            errors: [.expired, .deviceNotBound]),
        OpenAPIOperation(
            method: "post", path: WirePath.bioRespond, name: "respondToApproval", tag: "Second factor", summary: "Approve or deny",
            note: "The first answer counts. A wrong match code ends the request as a refusal.", security: ["bearer"],
            body: ("Answer", false), replies: [("200", OpenAPIOperation.reply("Answered.", "Done"))],
            errors: [
                .invalidType, .expired, .invalidParameter, .accessPolicy, .deviceNotBound, .noPendingRequest, .requestExpired,
                .signatureInvalid, .matchCodeIncorrect,
            ]),
    ]
}
