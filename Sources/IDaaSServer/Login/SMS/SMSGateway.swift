package import IDaaSWire

/// Carries messages to phones.
package protocol SMSGateway: Sendable {
    /// Hands a message over, and returns once the gateway has accepted it. Any error is answered with `IDAAS.SDK.SMS.1008`.
    func deliver(_ message: SMSMessage) async throws
}

package struct SMSMessage: Hashable, Sendable {
    /// `+CC-NSN`.
    package var mobile: String
    package var code: String
    /// The type in the request: `LOGIN_SMS`.
    package var type: String
    /// The client's id.
    package var client: String
    package var language: Language
    package var requestID: String
    /// The text for the phone.
    package var text: String
    /// When the code was made.
    package var made: Timestamp

    package init(
        mobile: String, code: String, type: String, client: String, language: Language, requestID: String, text: String, made: Timestamp
    ) {
        self.mobile = mobile
        self.code = code
        self.type = type
        self.client = client
        self.language = language
        self.requestID = requestID
        self.text = text
        self.made = made
    }
}

/// The answer to a request for an SMS.
package struct SMSReceipt: Hashable, Sendable {
    /// Until the code expires.
    package let expire: Duration
    /// Until the client may request another code.
    package let interval: Duration
}
