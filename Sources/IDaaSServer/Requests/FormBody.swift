#if IDaaS
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
        guard let text = String(validating: text, as: UTF8.self) else { throw ServiceError(.invalidFormat, "body") }
        var members: [String: String] = [:]
        for part in text.split(separator: "&") {
            guard let (name, value) = Self.member(part), members.updateValue(value, forKey: name) == nil else {
                throw ServiceError(.invalidFormat, "body")
            }
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

    /// The name and value of a member; nil if an escape in it is no UTF-8.
    private static func member(_ part: Substring) -> (name: String, value: String)? {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = decoded(pair[0]), let value = decoded(pair.count == 2 ? pair[1] : "") else { return nil }
        return (name, value)
    }

    /// The members of a query, which has the same format (RFC 6749 appendix B): the first one of a repeated name.
    static func members(ofQuery text: String) -> [String: String] {
        Dictionary(text.split(separator: "&").compactMap(member)) { first, _ in first }
    }

    static func decoded(_ text: Substring) -> String? { text.replacing("+", with: " ").removingPercentEncoding }
}
#endif
