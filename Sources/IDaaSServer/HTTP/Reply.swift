package import HTTPTypes
package import IDaaSWire

/// The answer of an endpoint.
package struct Reply: Sendable {
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: Int = 200, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A JSON body. Caches must not store it unless `fields` say otherwise: most bodies contain personal data.
    package static func json(_ value: JSON, status: Int = 200, fields: HTTPFields = [:]) -> Reply {
        json(text: value.bytes, status: status, fields: fields)
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
    /// A refusal in the common form: `{error_code, error_msg, details?}`.
    package init(_ error: ServiceError, status: Int? = nil, in language: Language) {
        var members: [(String, JSON)] = error.error.map { [(WireMember.error, .string($0))] } ?? []
        members += [
            (WireMember.errorCode, .string(error.code.rawValue)),
            (WireMember.errorText, .string(error.code.text(in: language, error.shownArguments))),
        ]
        if let details = error.details { members.append((WireMember.details, details)) }
        self = .json(.object(members), status: status ?? error.code.status)
        // RFC 9470: the token is good, and its login too long ago for this.
        if error == ServiceError(.expired, "auth_time") {
            fields[.wwwAuthenticate] = "Bearer error=\"insufficient_user_authentication\", max_age=0"
        }
        if let span = error.retryAfter, error.code == .rateLimited { fields[.retryAfter] = String(span.components.seconds) }
    }
}

extension ServiceError {
    /// The text of a limit names the seconds, which the error has as a number.
    fileprivate var shownArguments: [String] {
        guard code == .rateLimited, arguments.isEmpty, let retryAfter else { return arguments }
        return [String(retryAfter.components.seconds)]
    }

    fileprivate var details: JSON? {
        var members: [(String, JSON)] = []
        if !shownArguments.isEmpty { members.append((WireMember.arguments, .array(shownArguments.map(JSON.string)))) }
        if let remaining { members.append((WireMember.remaining, JSON(remaining))) }
        if let retryAfter { members.append((WireMember.retryAfter, JSON(retryAfter))) }
        return members.isEmpty ? nil : .object(members)
    }
}
