internal import JWTCore
internal import JWTSigning

/// The members of a JSON object: claims, each with its value as JSON text, sorted by name.
package struct ClaimMembers {
    private var values: [String: String] = [:]

    /// - Parameter claims: a claim whose value is nil is left out.
    init(_ claims: [String: (any Encodable)?]) throws {
        for case (let name, let value?) in claims { values[name] = try Self.json(value) }
    }

    /// The members of an object that is given as JSON text.
    ///
    /// - Throws: ``TestKeyError/notAnObject``.
    package init(json: String) throws(TestKeyError) {
        guard let members = (try? JSONTree(parsing: Array(json.utf8)))?.members else { throw .notAnObject }
        for (name, value) in members { values[name] = String(decoding: value.json, as: UTF8.self) }
    }

    var isEmpty: Bool { values.isEmpty }

    /// The object, with its members sorted by name.
    package var json: String {
        let members = values.sorted { $0.key < $1.key }.map { "\(JSONText.quoted($0)):\($1)" }
        return "{\(members.joined(separator: ","))}"
    }

    /// The value of a claim as JSON text; nil takes the claim away.
    package subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Takes over every claim of `claims`; one whose value is nil is taken away.
    mutating func merge(_ claims: [String: (any Encodable)?]) throws {
        for (name, value) in claims { values[name] = try value.map { try Self.json($0) } }
    }

    /// Takes over every member of `other`; one whose value is null is taken away.
    mutating func merge(_ other: ClaimMembers) {
        for (name, value) in other.values { values[name] = value == "null" ? nil : value }
    }

    /// The JSON text of a value that encodes as an object.
    ///
    /// - Throws: ``TestKeyError/notAnObject``; the errors of the encoding.
    static func object(_ value: some Encodable) throws -> String {
        let text = try json(value)
        guard text.utf8.first == UInt8(ascii: "{") else { throw TestKeyError.notAnObject }
        return text
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONTree(encoding: value, changing: FoundationValue.tree).json, as: UTF8.self)
    }
}
