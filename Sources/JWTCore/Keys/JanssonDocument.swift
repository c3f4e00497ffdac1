internal import CJansson

/// A JSON document parsed by jansson: for keys, which are read rarely, are larger than tokens and need a tree. Duplicate members and
/// anything after the document are refused.
@safe
package struct JanssonDocument: ~Copyable {
    private let tree: UnsafeMutablePointer<json_t>

    /// - Throws: `invalid_json` or `duplicate_member`, with the offset.
    package init(parsing text: Span<UInt8>) throws(VerificationError) {
        var position = 0
        var duplicate: Int32 = 0
        let parsed = unsafe text.withUnsafeBufferPointer { bytes in
            // SAFETY: char and UInt8 are layout-compatible; jansson reads `count` bytes and keeps no pointer to them.
            let start = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            return unsafe cjansson_parse(start, bytes.count, &position, &duplicate)
        }
        guard let tree = unsafe parsed else {
            throw VerificationError(duplicate == 1 ? .duplicateMember : .invalidJSON, at: position)
        }
        unsafe self.tree = tree
    }

    deinit { unsafe cjansson_release(tree) }

    package var root: JanssonValue {
        @_lifetime(borrow self) get { unsafe _overrideLifetime(JanssonValue(tree), borrowing: self) }
    }
}

/// A value of a ``JanssonDocument``, which it cannot outlive.
@safe
package struct JanssonValue: ~Escapable {
    private let value: UnsafeMutablePointer<json_t>

    @_lifetime(immortal)
    fileprivate init(_ value: UnsafeMutablePointer<json_t>) { unsafe self.value = value }

    package var isObject: Bool { unsafe cjansson_is_object(value) == 1 }
    package var isArray: Bool { unsafe cjansson_is_array(value) == 1 }

    /// The member called `name`, nil if it is missing.
    package subscript(name: String) -> JanssonValue? {
        @_lifetime(copy self) get {
            guard let member = unsafe json_object_get(value, name) else { return nil }
            return unsafe _overrideLifetime(JanssonValue(member), copying: self)
        }
    }

    /// The number of elements of an array.
    package var count: Int { unsafe json_array_size(value) }

    package subscript(position: Int) -> JanssonValue? {
        @_lifetime(copy self) get {
            guard let element = unsafe json_array_get(value, position) else { return nil }
            return unsafe _overrideLifetime(JanssonValue(element), copying: self)
        }
    }

    /// The UTF-8 of a string, nil for anything else.
    package var utf8: [UInt8]? {
        guard unsafe cjansson_is_string(value) == 1, let start = unsafe json_string_value(value) else { return nil }
        // SAFETY: jansson stores json_string_length bytes there while the document exists.
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(value))
        return unsafe Array(bytes)
    }

    /// The text of a string, nil for anything else.
    package var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

    /// A number, nil for anything else.
    package var number: Double? { unsafe cjansson_is_number(value) == 1 ? json_number_value(value) : nil }

    /// The strings of an array of strings, nil for anything else.
    package var strings: [String]? {
        guard isArray else { return nil }
        var strings: [String] = []
        for position in 0..<count {
            guard let string = self[position]?.string else { return nil }
            strings.append(string)
        }
        return strings
    }
}
