internal import JWTCore

/// Writes a part of the settings as the JSON document that it stands for. Numbers and flags have no quotation marks.
extension SettingsNode: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch content {
        case .nothing:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .text(let text, let isQuoted): try Self.encode(text, isQuoted: isQuoted, to: encoder)
        case .list(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .section(let members):
            var container = encoder.container(keyedBy: Name.self)
            for member in members { try container.encode(member.value, forKey: Name(stringValue: member.name)) }
        }
    }

    package var json: String { (try? JSONTree(encoding: self)).map { String(decoding: $0.json, as: UTF8.self) } ?? "" }

    private static func encode(_ text: String, isQuoted: Bool, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if !isQuoted, let flag = Bool(text) {
            try container.encode(flag)
        } else if !isQuoted, let number = Int(text) {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
