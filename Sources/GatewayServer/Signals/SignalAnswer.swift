#if Gateway
internal import HTTPTypes
internal import JWTCore

/// An answer to a transmitter.
struct SignalAnswer: Sendable {
    let status: Int
    var fields: HTTPFields = [:]
    var body: [UInt8] = []

    init(status: Int) { self.status = status }

    init(_ receipt: SignalReceipt) {
        switch receipt {
        // RFC 8935 section 2.2.
        case .accepted: self.init(status: 202)
        case .delayed(let delay):
            self.init(status: 503)
            if let name = HTTPField.Name("Retry-After") { fields[name] = "\(delay.seconds)" }
        case .refused(let refusal):
            // RFC 8935 section 2.3.
            self.init(status: refusal.code == .authenticationFailed ? 401 : 400)
            if status == 401 { fields[.wwwAuthenticate] = "Bearer" }
            fields[.contentType] = "application/json"
            fields[.contentLanguage] = "en"
            body = (try? JSONTree(encoding: SignalRefusalDocument(refusal)))?.json ?? []
        }
    }

    var head: HTTPResponse {
        var fields = fields
        fields[.contentLength] = String(body.count)
        fields[.cacheControl] = "no-store"
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }
}
#endif
