internal import CJansson

/// A JSON document (RFC 8259), parsed by jansson: for keys, metadata and answers of an issuer, which are read rarely, are larger than tokens
/// and need a tree.
///
/// ```swift
/// let document = try JSONDocument(parsing: bytes.span)
/// let address = document.root["jwks_uri"]?.string
/// ```
@safe
public struct JSONDocument: ~Copyable {
    /// The usual limit.
    public static let maximumBytes = 262_144

    private let tree: UnsafeMutablePointer<json_t>

    /// - Throws: `token_too_large` beyond `maximumBytes`; `invalid_utf8`, `invalid_json`, `duplicate_member`, with the offset. Text after the
    ///   document and a nesting of more than 2,048 levels are invalid.
    public init(parsing text: Span<UInt8>, maximumBytes: Int = Self.maximumBytes) throws(VerificationError) {
        guard text.count <= maximumBytes else { throw VerificationError(.tokenTooLarge, at: maximumBytes) }
        let utf8End = text.utf8End()
        guard utf8End == text.count else { throw VerificationError(.invalidUTF8, at: utf8End) }
        // jansson overlooks a NUL after a number or a literal.
        for offset in 0..<text.count where text[offset] == 0 { throw VerificationError(.invalidJSON, at: offset) }
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

    public var root: JSONElement {
        @_lifetime(borrow self) get { unsafe _overrideLifetime(JSONElement(tree), borrowing: self) }
    }
}

/// A value of a ``JSONDocument``, which it cannot outlive.
@safe
public struct JSONElement: ~Escapable {
    private let value: UnsafeMutablePointer<json_t>

    @_lifetime(immortal)
    fileprivate init(_ value: UnsafeMutablePointer<json_t>) { unsafe self.value = value }

    public var isObject: Bool { unsafe cjansson_is_object(value) == 1 }
    public var isArray: Bool { unsafe cjansson_is_array(value) == 1 }

    /// The member called `name`, nil if it is missing.
    public subscript(name: String) -> JSONElement? {
        @_lifetime(copy self) get {
            guard let member = unsafe json_object_get(value, name) else { return nil }
            return unsafe _overrideLifetime(JSONElement(member), copying: self)
        }
    }

    /// The number of elements of an array, 0 of anything else.
    public var count: Int { unsafe json_array_size(value) }

    /// The element at a position of an array, nil beyond its end.
    public subscript(position: Int) -> JSONElement? {
        @_lifetime(copy self) get {
            guard let element = unsafe json_array_get(value, position) else { return nil }
            return unsafe _overrideLifetime(JSONElement(element), copying: self)
        }
    }

    /// The UTF-8 of a string, nil for anything else.
    public var utf8: [UInt8]? {
        guard unsafe cjansson_is_string(value) == 1, let start = unsafe json_string_value(value) else { return nil }
        // SAFETY: jansson stores json_string_length bytes there while the document exists.
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(value))
        return unsafe Array(bytes)
    }

    /// The text of a string, nil for anything else.
    public var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

    /// A number, nil for anything else.
    public var number: Double? { unsafe cjansson_is_number(value) == 1 ? json_number_value(value) : nil }

    /// A boolean, nil for anything else.
    public var bool: Bool? { unsafe cjansson_is_boolean(value) == 1 ? cjansson_is_true(value) == 1 : nil }

    /// Calls `body` with the name and value of each member of an object, in order.
    public func forEachMember<E: Error>(_ body: (String, borrowing JSONElement) throws(E) -> Void) throws(E) {
        guard isObject else { return }
        // SAFETY: the object does not change while its members are visited. A name is a string of C: jansson refuses a NUL in it.
        var place = unsafe json_object_iter(value)
        while let member = unsafe place {
            if let name = unsafe json_object_iter_key(member), let element = unsafe json_object_iter_value(member) {
                try body(unsafe String(cString: name), unsafe JSONElement(element))
            }
            unsafe place = json_object_iter_next(value, member)
        }
    }

    /// The strings of an array of strings, nil for anything else.
    public var strings: [String]? {
        guard isArray else { return nil }
        var strings: [String] = []
        for position in 0..<count {
            guard let string = self[position]?.string else { return nil }
            strings.append(string)
        }
        return strings
    }
}
