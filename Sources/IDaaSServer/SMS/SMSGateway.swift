#if IDaaS
/// What carries messages to phones.
package protocol SMSGateway: Sendable {
    /// Hands a message over. Returns once the gateway has accepted it; whatever is thrown is answered `IDAAS.SDK.SMS.1008`.
    func deliver(_ message: SMSMessage) async throws
}

package struct SMSMessage: Hashable, Sendable {
    /// `+CC-NSN`.
    package var mobile: String
    package var code: String
    /// As the request named it: `LOGIN_SMS`.
    package var type: String
    /// The client's id.
    package var client: String
    package var language: Language
    package var requestID: String
    /// What the phone shall show.
    package var text: String

    package init(
        mobile: String, code: String, type: String, client: String, language: Language, requestID: String, text: String
    ) {
        self.mobile = mobile
        self.code = code
        self.type = type
        self.client = client
        self.language = language
        self.requestID = requestID
        self.text = text
    }
}

/// What a sent SMS is answered with. Seconds.
package struct SMSReceipt: Hashable, Sendable {
    /// Until the code is worth nothing.
    package let expire: Int
    /// Until another may be asked for.
    package let interval: Int
}
#endif
