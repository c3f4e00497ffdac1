#if Gateway
internal import Gateway
internal import HTTPEdge
internal import HTTPTypes

extension ProfileRequest {
    /// The gateway's own request. The first `Host` is its host; the edge has refused a second one, and so would the profile.
    init(_ request: ImmediateRequest) {
        var host: String?, fields: [Field] = []
        fields.reserveCapacity(request.fieldCount)
        request.forEachField { name, value in
            let field = Field(name, value.withoutBlanks)
            if host == nil, field.name == "host" { host = field.value } else { fields.append(field) }
        }
        self.init(method: request.method, host: host ?? "", target: request.target, fields: fields)
    }
}

extension ImmediateAnswer {
    /// Never a body.
    init(_ reply: ProfileReply, afterwards: (@Sendable () -> Void)? = nil) {
        let fields = reply.fields.compactMap { field in
            HTTPField.Name(field.name).map { (name: $0.rawName, value: field.value.fieldValue) }
        }
        self.init(status: reply.status, fields: fields, afterwards: afterwards)
    }
}

extension String {
    /// This text without white space around it (RFC 9110 section 5.5). The parser has refused controls.
    fileprivate var withoutBlanks: String {
        guard let first = utf8.first, let last = utf8.last, first.isBlank || last.isBlank else { return self }
        let text = utf8.drop { $0.isBlank }
        let end = text.lastIndex { !$0.isBlank }.map(text.index(after:)) ?? text.startIndex
        return String(Substring(text[..<end]))
    }

    /// This text as the value of a field: also with spaces for controls.
    fileprivate var fieldValue: String { HTTPField.isValidValue(self) ? self : HTTPField(name: .cookie, value: self).value }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
#endif
