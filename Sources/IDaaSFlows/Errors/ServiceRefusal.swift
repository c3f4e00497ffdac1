public import IDaaSWire
internal import JWKSCache

/// The server's refusal: `{error_code, error_msg, details?}`.
public struct ServiceRefusal: Hashable, Sendable {
    public let status: Int
    /// The code as the server sent it.
    public let wireCode: String
    /// The meaning of ``wireCode``; nil for an unknown code.
    public let code: ServiceCode?
    /// The text as the server sent it, in the language of the request.
    public let message: String
    /// The values of the text's placeholders, in their order, if the server sent them.
    public let arguments: [String]
    /// How many attempts are left, if the server said so.
    public let remaining: Int?
    /// How long to wait, if the server said so.
    public let retryAfter: Duration?

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool { status == 429 || status >= 500 || code == .systemBusy || code == .rateLimited }

    /// The server's own text if it appears to be in `language`, otherwise the text of `ServiceCode`.
    public func text(in language: Language) -> String {
        let isChinese = message.unicodeScalars.contains { (0x4e00...0x9fff).contains($0.value) }
        if !message.isEmpty, isChinese == (language == .chinese) { return message }
        return code?.text(in: language, arguments) ?? (message.isEmpty ? wireCode : message)
    }

    /// A refusal that this client found, or that a biometric reply carries.
    init(status: Int, wireCode: String, message: String) {
        self.status = status
        self.wireCode = wireCode
        self.message = message
        code = ServiceCode(wire: wireCode)
        arguments = []
        remaining = nil
        retryAfter = nil
    }

    /// The request is not pending any more: as the server answers.
    static let noPendingRequest = Self(status: 400, wireCode: ServiceCode.noPendingRequest.rawValue, message: "")

    /// - Returns: nil for a body that is not a refusal.
    init?(_ response: ReceivedResponse) {
        guard let body = WireValue(json: response.body), let wireCode = body.refusalCode, wireCode != "0" else { return nil }
        let details = body[WireMember.details]?.unwrapped
        status = response.status
        self.wireCode = wireCode
        code = ServiceCode(wire: wireCode)
        message = body[WireMember.errorText]?.text ?? body[WireMember.message]?.text ?? ""
        let stated = details?[WireMember.arguments]?.elements.map { $0.compactMap(\.text) } ?? []
        remaining = details?[WireMember.remaining]?.integer.map { Int(clamping: $0) }
        let field = CacheDirectives.retryAfter(response)
        let retryAfter = details?[WireMember.retryAfter]?.integer.map { .seconds(max(0, $0)) } ?? field
        self.retryAfter = retryAfter
        // A limit's text names the seconds. Tenants send them only in a header field.
        let seconds = code == .rateLimited ? retryAfter.map { ["\($0.components.seconds)"] } : nil
        arguments = stated.isEmpty ? seconds ?? [] : stated
    }
}

extension WireValue {
    /// The code of a refusal: `error_code`, or in the envelope of biometric replies `code`, with `data`.
    fileprivate var refusalCode: String? {
        if let code = self[WireMember.errorCode] { return code.filled }
        guard case .object(let members) = self, members[WireMember.data] != nil, members[WireMember.message] != nil else { return nil }
        return self[WireMember.envelopeCode]?.filled
    }
}
