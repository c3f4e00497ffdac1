internal import JWTCore

extension ClaimHeader {
    /// The field's value, in printable ASCII; empty if the claim is absent, null, or an array that cannot be joined.
    ///
    /// Strings are the claim's own text (``FieldText``), numbers are as the payload writes them, objects are JSON. An array with elements
    /// other than strings, numbers and booleans cannot be joined.
    func value(in payload: borrowing JSONValue) -> [UInt8] { value(in: payload, at: path[...]) }

    private func value(in value: borrowing JSONValue, at path: ArraySlice<Step>) -> [UInt8] {
        switch path.first {
        case .member(let name):
            guard let next = value[name] else { return [] }
            return self.value(in: next, at: path.dropFirst())
        case .position(let position):
            guard let next = value[position] else { return [] }
            return self.value(in: next, at: path.dropFirst())
        case nil: return text(of: value)
        }
    }

    private func text(of value: borrowing JSONValue) -> [UInt8] {
        var field: [UInt8] = []
        if value.isArray, case .joined(let separator) = arrays {
            appendElements(of: value, Array(separator.utf8), to: &field)
        } else if value.isArray || value.isObject {
            ASCIIJSON.append(value.raw, to: &field)
        } else {
            appendScalar(value, to: &field)
        }
        return field
    }

    private func appendElements(of array: borrowing JSONValue, _ separator: [UInt8], to field: inout [UInt8]) {
        var isFirst = true, isJoinable = true
        array.forEachElement { element in
            if !isFirst { field += separator }
            isFirst = false
            if element.isArray || element.isObject || element.isNull { isJoinable = false }
            appendScalar(element, separator, to: &field)
        }
        if !isJoinable { field = [] }
    }

    private func appendScalar(_ value: borrowing JSONValue, _ separator: [UInt8] = [], to field: inout [UInt8]) {
        if let string = value.string {
            FieldText.append(string.utf8, to: &field, separator: separator)
        } else if let number = value.number {
            FieldText.append(Array(number.text.utf8), to: &field, separator: separator)
        } else if let bool = value.bool {
            field += (bool ? "true" : "false").utf8
        }
    }
}
