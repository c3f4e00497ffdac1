/// The links of a reply: which values the next request carries. Tokens go into the header fields of their security schemes.
enum OpenAPILinks {
    static let captcha: JSON = ["verify": ["operationId": "verifyCaptcha", "requestBody": ["token": "$response.body#/token"]]]

    static let captchaToken: JSON = [
        "send": [
            "operationId": "sendSMS",
            "requestBody": [
                "captcha_token": "$response.body#/captcha_token", "mobile": "$request.body#/sender", "type": "LOGIN_SMS",
            ],
        ]
    ]

    static let message: JSON = ["login": ["operationId": "loginBySMS", "requestBody": ["mobile": "$request.body#/mobile"]]]

    static let tokens: JSON = [
        "refresh": bySessionToken("refresh"), "sessions": byIDToken("listSessions"), "logout": bySessionToken("logout"),
        "logoutByGet": bySessionToken("logoutByGet"),
    ]

    static let idToken: JSON = ["sessions": byIDToken("listSessions")]

    static let sessions: JSON = [
        "end": [
            "operationId": "endSession", "parameters": ["path.id": "$response.body#/sessions/0/id"],
            "description": "The first; each of the others in the same way.",
        ]
    ]

    private static func bySessionToken(_ operation: String) -> JSON {
        ["operationId": .string(operation), "parameters": ["header.session-token": "$response.body#/session_token"]]
    }

    private static func byIDToken(_ operation: String) -> JSON {
        ["operationId": .string(operation), "parameters": ["header.Authorization": "Bearer {$response.body#/id_token}"]]
    }
}
