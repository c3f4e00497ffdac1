internal import Foundation
internal import HTTPTypes
internal import IDaaSWire

/// The parameters of a form (application/x-www-form-urlencoded), each once.
package struct FormBody: Hashable, Sendable {
    private let members: [String: String]

    /// - Throws: `RequestRefusal` 415 for another content type; COMMON.1002 {0}=body for anything that is not a form, or repeats a name.
    package init(_ exchange: Exchange) throws {
        let type = exchange.fields[.contentType]?.split(separator: ";").first.map { String($0).trimmed.lowercased() }
        guard type == "application/x-www-form-urlencoded" else { throw RequestRefusal.unsupportedMediaType }
        try self.init(text: exchange.body)
    }

    /// - Throws: COMMON.1002 {0}=body for anything that is not a form, or repeats a name.
    package init(text: [UInt8]) throws(ServiceError) {
        guard let text = String(validating: text, as: UTF8.self), let members = Self.members(of: text) else {
            throw ServiceError(.invalidFormat, "body")
        }
        self.members = members
    }

    package subscript(name: String) -> String? { members[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// - Throws: COMMON.1001 if it is absent, COMMON.1002 if it is longer than `limit` bytes.
    package func string(_ name: String, limit: Int = 2_048) throws(ServiceError) -> String {
        var refusal = ServiceError(.missingParameter, name)
        refusal.error = "invalid_request"
        guard let value = self[name] else { throw refusal }
        refusal.code = .invalidFormat
        guard value.utf8.count <= limit else { throw refusal }
        return value
    }

    /// The members of a form or of a query, which has the same format (RFC 6749 appendix B). Nil if a name is repeated, which RFC 6749
    /// section 3.1 forbids, or a member cannot be read.
    static func members(of text: String) -> [String: String]? {
        var members: [String: String] = [:]
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard let (name, value) = member(part), members.updateValue(value, forKey: name) == nil else { return nil }
        }
        return members
    }

    /// The name and value of a member; nil if one of them has no ``decoded(_:)`` text.
    private static func member(_ part: Substring.UTF8View) -> (name: String, value: String)? {
        let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = decoded(pair[0]), let value = pair.count == 2 ? decoded(pair[1]) : "" else { return nil }
        return (name, value)
    }

    /// Nil if the text or an escape is no UTF-8, or the text has a control character.
    ///
    /// Bytes are read, and not characters: Swift takes a separator and a combining mark behind it for one character.
    static func decoded(_ text: some Sequence<UInt8>) -> String? {
        let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let text = String(validating: spaced, as: UTF8.self)?.removingPercentEncoding, !text.hasControlCharacter else { return nil }
        return text
    }
}
