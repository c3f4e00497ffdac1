public import Gateway

/// A request of Envoy's filter `ext_authz` for a decision (`envoy.service.auth.v3.CheckRequest`).
///
///     CheckRequest { attributes = 1 }
///     AttributeContext { source = 1, destination = 2, request = 4, context_extensions = 10, metadata_context = 11, … }
///     AttributeContext.Request { time = 1, http = 2 }
///     AttributeContext.HttpRequest { id = 1, method = 2, headers = 3, path = 4, host = 5, scheme = 6, …, header_map = 13 }
///     AttributeContext.Peer { address = 1, certificate = 5 }
///     Address { socket_address = 1 }      SocketAddress { protocol = 1, address = 2, … }
///     HeaderMap { headers = 1 }      HeaderValue { key = 1, value = 2, raw_value = 3 }
///
/// A field that is not read here is skipped, whatever it contains: newer versions of Envoy add fields.
public struct CheckRequest: Sendable {
    /// The request that the client made.
    public private(set) var facts = RequestFacts(method: "", host: "", target: "")

    /// Limits of one request.
    static let mostFields = 1_024
    static let mostExtensions = 256

    /// Decodes a message.
    ///
    /// - Parameters:
    ///   - message: a `CheckRequest`.
    ///   - readsClient: whether to read the client's address.
    /// - Throws: the fault if the bytes are no such message, or describe no HTTP request with a method and a path.
    public init(decoding message: Span<UInt8>, readsClient: Bool = false) throws(ProtobufFault) {
        var reader = MessageReader(message)
        while let field = try reader.next() {
            guard field.number == 1 else { continue }
            try reader.once(field)
            try readAttributes(try reader.content(field), readsClient: readsClient)
        }
        // CONNECT without a path names its target in the authority (RFC 9113 section 8.5).
        if facts.method == "CONNECT", facts.target.isEmpty { facts.target = facts.host }
        guard !facts.method.isEmpty, !facts.target.isEmpty else { throw .missingField }
    }

    private mutating func readAttributes(_ message: Span<UInt8>, readsClient: Bool) throws(ProtobufFault) {
        var reader = MessageReader(message)
        while let field = try reader.next() {
            switch field.number {
            case 1:
                try reader.once(field)
                let source = try reader.content(field)
                try readCertificate(source)
                if readsClient { try readSource(source) }
            case 4:
                try reader.once(field)
                try readRequest(try reader.content(field))
            case 10: try readExtension(try reader.content(field))
            default: break
            }
        }
    }

    /// Reads the certificate of a `Peer`, which Envoy sends with the option `include_peer_certificate`: that of the client's connection.
    private mutating func readCertificate(_ message: Span<UInt8>) throws(ProtobufFault) {
        var reader = MessageReader(message)
        while let field = try reader.next() {
            guard field.number == 5 else { continue }
            try reader.once(field)
            let text = try reader.text(field)
            facts.certificate = text.isEmpty ? nil : ClientCertificate(.pemEscaped, text)
        }
    }

    /// Reads the address of a `Peer`, which is two messages below it. Another kind of address than that of a socket is none.
    private mutating func readSource(_ message: Span<UInt8>, level: Int = 0) throws(ProtobufFault) {
        var reader = MessageReader(message)
        while let field = try reader.next() {
            guard field.number == (level < 2 ? 1 : 2) else { continue }
            try reader.once(field)
            if level < 2 {
                try readSource(try reader.content(field), level: level + 1)
            } else {
                facts.client = try reader.text(field)
            }
        }
    }

    private mutating func readRequest(_ message: Span<UInt8>) throws(ProtobufFault) {
        var reader = MessageReader(message)
        while let field = try reader.next() {
            guard field.number == 2 else { continue }
            try reader.once(field)
            try readHTTP(try reader.content(field))
        }
    }

    private mutating func readExtension(_ message: Span<UInt8>) throws(ProtobufFault) {
        let entry = try MapEntry(decoding: message)
        guard facts.context.count < Self.mostExtensions else { throw .tooManyEntries }
        guard facts.context.updateValue(entry.value, forKey: entry.key) == nil else { throw .repeatedField }
    }

    private mutating func readHTTP(_ message: Span<UInt8>) throws(ProtobufFault) {
        var reader = MessageReader(message)
        var headers = CheckedHeaders(limit: Self.mostFields)
        while let field = try reader.next() {
            switch field.number {
            case 3: try headers.addEntry(try reader.content(field))
            case 13:
                try reader.once(field)
                try headers.addMap(try reader.content(field))
            case 2, 4, 5, 6:
                try reader.once(field)
                set(field.number, to: try reader.text(field))
            default: break
            }
        }
        facts.fields = headers.fields
    }

    private mutating func set(_ number: UInt32, to text: String) {
        switch number {
        case 2: facts.method = text
        case 4: facts.target = text
        case 5: facts.host = text
        default: facts.scheme = text.isEmpty ? nil : text
        }
    }
}
