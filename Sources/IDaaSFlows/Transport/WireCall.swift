internal import JWKSCache

/// One call of the protocol.
struct WireCall: Sendable {
    var method = "GET"
    /// The path below the tenant's origin.
    let path: String
    /// The path for the log: without an identifier that the application gave, which may be a token by mistake.
    let template: String
    var body: WireValue?
    var fields: [HeaderField] = []

    init(get path: String, _ fields: [HeaderField] = []) {
        self.path = path
        template = path
        self.fields = fields
    }

    init(post path: String, _ body: [String: WireValue] = [:], _ fields: [HeaderField] = []) {
        method = "POST"
        self.path = path
        template = path
        self.body = .object(body)
        self.fields = fields
    }

    init(delete path: String, template: String, _ fields: [HeaderField]) {
        method = "DELETE"
        self.path = path
        self.template = template
        self.fields = fields
    }
}

/// The answer to a call, with a status of success.
struct WireAnswer: Sendable {
    let status: Int
    /// The body; nil if it is empty or not JSON.
    let value: WireValue?
    let requestID: String
    /// The answer's `Date`, in seconds since 1970.
    var date: Int64?

    /// The object in the body.
    ///
    /// - Throws: `unexpectedAnswer` for any other body.
    func object() throws(FlowError) -> WireValue {
        guard let value = value?.unwrapped, value.isObject else { throw unexpected }
        return value
    }

    /// A member of the object that is a non-empty text.
    func text(_ name: String) throws(FlowError) -> String {
        guard let text = try object()[name]?.filled else { throw unexpected }
        return text
    }

    var unexpected: FlowError { FlowError(.unexpectedAnswer(status: status), requestID: requestID) }
}
