internal import JWTCore

/// A claim on its way into a field for the upstream, prepared for decisions.
final class ClaimField: Sendable {
    private let path: ClaimPath
    /// Between the elements of an array; nil: the array is JSON.
    private let separator: [UInt8]?

    init(_ header: ClaimHeader) {
        path = ClaimPath(header.path)
        separator = if case .joined(let separator) = header.arrays { Array(separator.utf8) } else { nil }
    }

    /// Appends the field's value, in printable ASCII; nothing if the claim is absent, null, or an array that cannot be joined.
    ///
    /// Strings are the claim's own text (``FieldText``), numbers are as the payload writes them, objects are JSON. An array with elements
    /// other than strings, numbers and booleans cannot be joined.
    func append(_ payload: borrowing JSONValue, to field: inout [UInt8]) {
        if let claim = path.claim(in: payload) { append(text: claim, to: &field) }
    }

    private func append(text value: borrowing JSONValue, to field: inout [UInt8]) {
        if value.isArray, let separator {
            appendElements(of: value, separator, to: &field)
        } else if value.isArray || value.isObject {
            ASCIIJSON.append(value.raw, to: &field)
        } else {
            Self.appendScalar(value, to: &field)
        }
    }

    private func appendElements(of array: borrowing JSONValue, _ separator: [UInt8], to field: inout [UInt8]) {
        let start = field.count
        var isFirst = true, isJoinable = true
        array.forEachElement { element in
            if !isFirst { field += separator }
            isFirst = false
            if element.isArray || element.isObject || element.isNull { isJoinable = false }
            Self.appendScalar(element, separator: separator, to: &field)
        }
        if !isJoinable { field.removeLast(field.count - start) }
    }

    private static func appendScalar(_ value: borrowing JSONValue, separator: [UInt8] = [], to field: inout [UInt8]) {
        if let string = value.string {
            FieldText.append(string, to: &field, separator: separator)
        } else if let number = value.number {
            FieldText.append(JSONString(number.raw, isEscaped: false), to: &field, separator: separator)
        } else if let bool = value.bool {
            field.append(bool ? "true" : "false")
        }
    }
}
