/// An entry of a `map<string, string>`: a message with the key in field 1 and the value in field 2. An absent one is empty.
struct MapEntry: Hashable, Sendable {
    private(set) var key = ""
    private(set) var value = ""

    init(decoding message: Span<UInt8>) throws(ProtobufFault) {
        var reader = MessageReader(message)
        while let field = try reader.next() {
            guard field.number == 1 || field.number == 2 else { continue }
            try reader.once(field)
            let text = try reader.text(field)
            if field.number == 1 { key = text } else { value = text }
        }
    }
}
