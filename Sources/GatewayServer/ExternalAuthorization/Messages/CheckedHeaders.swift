internal import Gateway

/// The client's header fields, in one of Envoy's two forms: a map with one entry for each name, or, with the option `encode_raw_headers`, a
/// list in the order of the request.
struct CheckedHeaders {
    private(set) var fields: [Field] = []
    private let limit: Int
    private var names: Set<String> = []
    private var form: Form?

    private enum Form {
        case map
        case list
    }

    init(limit: Int) { self.limit = limit }

    /// Adds an entry of the map. Names are unique without regard to case.
    mutating func addEntry(_ message: Span<UInt8>) throws(ProtobufFault) {
        try choose(.map)
        let entry = try MapEntry(decoding: message)
        guard names.insert(entry.key.lowercased()).inserted else { throw .repeatedField }
        try add(entry.key, entry.value)
    }

    /// Adds a `HeaderMap`, the list.
    mutating func addMap(_ message: Span<UInt8>) throws(ProtobufFault) {
        try choose(.list)
        var reader = MessageReader(message)
        while let field = try reader.next() {
            guard field.number == 1 else { continue }
            try addValue(try reader.content(field))
        }
    }

    /// Adds a `HeaderValue`. Bytes of `raw_value` that are not UTF-8 become U+FFFD, which no token has.
    private mutating func addValue(_ message: Span<UInt8>) throws(ProtobufFault) {
        var reader = MessageReader(message)
        var key = ""
        var value: String?
        while let field = try reader.next() {
            guard 1...3 ~= field.number else { continue }
            try reader.once(field)
            switch field.number {
            case 1: key = try reader.text(field)
            case _ where value != nil: throw .repeatedField
            case 2: value = try reader.text(field)
            default: value = Self.repaired(try reader.content(field))
            }
        }
        try add(key, value ?? "")
    }

    /// Both forms in one request could be read in two ways.
    private mutating func choose(_ form: Form) throws(ProtobufFault) {
        guard self.form == nil || self.form == form else { throw .repeatedField }
        self.form = form
    }

    /// Adds a field. The pseudo fields of HTTP/2 repeat what the request has in fields of its own.
    private mutating func add(_ name: String, _ value: String) throws(ProtobufFault) {
        guard !name.isEmpty else { throw .missingField }
        guard !name.hasPrefix(":") else { return }
        guard name.utf8.allSatisfy(Self.isTokenCharacter) else { throw .invalidName }
        guard fields.count < limit else { throw .tooManyEntries }
        fields.append(Field(name, value))
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func repaired(_ bytes: Span<UInt8>) -> String {
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
}
