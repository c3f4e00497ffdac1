internal import JWKSCache

/// What the server said when it refused: `{error_code, error_msg, details?}`.
public struct ServiceRefusal: Hashable, Sendable {
    public let status: Int
    /// As it was sent.
    public let wireCode: String
    /// The code of the documents' table that it means; nil for any other.
    public let code: ServiceCode?
    /// As it was sent, in the language that was asked for.
    public let message: String
    /// What the placeholders of the text stand for, in their order, where the server says.
    public let arguments: [String]
    /// Tries that are left, where the server says.
    public let remaining: Int?
    /// How long to wait, where the server says.
    public let retryAfter: Duration?

    public var isRetryable: Bool { status == 429 || status >= 500 || code == .systemBusy || code == .rateLimited }

    /// The server's own text where it is in `language` by all appearance, the catalogue's otherwise.
    public func text(in language: FlowLanguage) -> String {
        let isChinese = message.unicodeScalars.contains { (0x4e00...0x9fff).contains($0.value) }
        if !message.isEmpty, isChinese == (language == .chinese) { return message }
        return code?.text(in: language, arguments) ?? (message.isEmpty ? wireCode : message)
    }

    /// Nil unless the body is such an object.
    init?(_ response: FlowResponse) {
        guard let body = WireValue(json: response.body), let wireCode = body["error_code"]?.filled, wireCode != "0" else { return nil }
        let details = body["details"]?.unwrapped
        status = response.status
        self.wireCode = wireCode
        code = ServiceCode(wire: wireCode)
        message = body["error_msg"]?.text ?? ""
        let stated = details?["args"]?.elements.map { $0.compactMap(\.text) } ?? []
        remaining = details?["remaining"]?.integer.map { Int(clamping: $0) }
        let field = CacheDirectives.retryAfter(
            DocumentResponse(status: response.status, fields: response.fields.map { ($0.name, $0.value) }))
        let retryAfter = details?["retry_after"]?.integer.map { .seconds(max(0, $0)) } ?? field
        self.retryAfter = retryAfter
        // The text for a limit has the seconds in it, which tenants say in a header field alone.
        let seconds = code == .rateLimited ? retryAfter.map { ["\($0.components.seconds)"] } : nil
        arguments = stated.isEmpty ? seconds ?? [] : stated
    }
}
