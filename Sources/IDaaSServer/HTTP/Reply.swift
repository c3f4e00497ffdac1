#if IDaaS
package import HTTPTypes

/// What an endpoint answers.
package struct Reply: Sendable {
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: Int = 200, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A JSON body. Nobody keeps it unless `fields` say otherwise: most of them hold what is one person's business.
    package static func json(_ value: JSON, status: Int = 200, fields: HTTPFields = [:]) -> Reply {
        json(text: Array(value.text.utf8), status: status, fields: fields)
    }

    package static func json(text: [UInt8], status: Int = 200, fields: HTTPFields = [:]) -> Reply {
        var reply = Reply(status: status, fields: fields, body: text)
        reply.fields[.contentType] = "application/json;charset=utf-8"
        return reply
    }

    package static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> Reply {
        Reply(status: status, fields: [.contentType: type], body: Array(text.utf8))
    }
}

extension Reply {
    /// A refusal in the one form that all have: `{error_code, error_msg, details?}`.
    package init(_ error: ServiceError, status: Int? = nil, in language: Language) {
        var members: [(String, JSON)] = [
            ("error_code", .string(error.code.rawValue)),
            ("error_msg", .string(ErrorCatalogue.text(error.code, error.shownArguments, in: language))),
        ]
        if let details = error.details { members.append(("details", details)) }
        self = .json(.object(members), status: status ?? error.code.status)
        if let seconds = error.retryAfter, error.code == .rateLimited { fields[.retryAfter] = String(seconds) }
    }
}

extension ServiceError {
    /// A limit's text names the seconds, which the error has as a number.
    fileprivate var shownArguments: [String] {
        guard code == .rateLimited, arguments.isEmpty, let retryAfter else { return arguments }
        return [String(retryAfter)]
    }

    fileprivate var details: JSON? {
        var members: [(String, JSON)] = []
        if !shownArguments.isEmpty { members.append(("args", .array(shownArguments.map(JSON.string)))) }
        if let remaining { members.append(("remaining", JSON(remaining))) }
        if let retryAfter { members.append(("retry_after", JSON(retryAfter))) }
        return members.isEmpty ? nil : .object(members)
    }
}
#endif
