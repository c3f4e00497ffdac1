/// A value of a JSON document: a view of the text and its tape. Everything is decoded on access.
public struct JSONValue: ~Escapable {
    package let text: Span<UInt8>
    package let tape: Span<JSONNode>
    package let index: Int

    @_lifetime(copy text, copy tape)
    package init(text: Span<UInt8>, tape: Span<JSONNode>, index: Int = 0) {
        self.text = text
        self.tape = tape
        self.index = index
    }

    var node: JSONNode { @inline(__always) get { tape[index] } }
    package var kind: JSONNode.Kind { @inline(__always) get { node.kind } }

    /// Whether the value has this type.
    public var isObject: Bool { kind == .object }
    public var isArray: Bool { kind == .array }
    public var isNull: Bool { kind == .null }

    /// The text of the value as written in the document; of a string without its quotes.
    public var raw: Span<UInt8> { @inline(__always) @_lifetime(copy self) get { text.extracting(node.range) } }

    /// The value as a string, nil for any other type.
    public var string: JSONString? {
        @inline(__always) @_lifetime(copy self) get {
            guard kind == .string else { return nil }
            return JSONString(raw, isEscaped: node.flag)
        }
    }

    /// The value as a number, nil for any other type.
    public var number: JSONNumber? {
        @inline(__always) @_lifetime(copy self) get {
            guard kind == .number else { return nil }
            return JSONNumber(raw, isInteger: !node.flag)
        }
    }

    /// The value as a Boolean, nil for any other type.
    public var bool: Bool? { kind == .true ? true : kind == .false ? false : nil }

    /// The number of members of an object or elements of an array; zero for anything else.
    public var count: Int { node.count }

    /// The member called `name`, nil if it is missing or this is not an object. Complexity: O(members).
    public subscript(name: String) -> JSONValue? {
        @_lifetime(copy self) get {
            guard let value = valueIndex(named: name.utf8.span) else { return nil }
            return JSONValue(text: text, tape: tape, index: value)
        }
    }

    /// The value of the member with this name in UTF-8.
    package subscript(name: Span<UInt8>) -> JSONValue? {
        @_lifetime(copy self) get {
            guard let value = valueIndex(named: name) else { return nil }
            return JSONValue(text: text, tape: tape, index: value)
        }
    }

    /// The element at `position`, nil past the end or if this is not an array. Complexity: O(position).
    public subscript(position: Int) -> JSONValue? {
        @_lifetime(copy self) get {
            guard let element = elementIndex(position) else { return nil }
            return JSONValue(text: text, tape: tape, index: element)
        }
    }

    /// The value at the end of a path of member names and positions, nil if a step is missing:
    /// `value(at: "realm_access", "roles", 0)`.
    @_lifetime(copy self)
    public func value(at path: PathStep...) -> JSONValue? { value(at: path) }

    @_lifetime(copy self)
    func value(at path: [PathStep]) -> JSONValue? {
        var step = index
        for part in path {
            let value = JSONValue(text: text, tape: tape, index: step)
            let next =
                switch part {
                case .member(let name): value.valueIndex(named: name.utf8.span)
                case .element(let position): value.elementIndex(position)
                }
            guard let next else { return nil }
            step = next
        }
        return JSONValue(text: text, tape: tape, index: step)
    }

    /// A step of a path into a document.
    public enum PathStep: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case member(String)
        case element(Int)

        public init(stringLiteral name: String) { self = .member(name) }
        public init(integerLiteral position: Int) { self = .element(position) }
    }

    /// Whether this is an array with a string element equal to `text`, or a string equal to it.
    public func contains(_ text: String) -> Bool {
        if let string { return string.equals(text) }
        return anyElement { $0.string?.equals(text) ?? false }
    }

    func valueIndex(named name: Span<UInt8>) -> Int? {
        guard kind == .object else { return nil }
        var member = index + 1
        for _ in 0..<count {
            if memberName(member).equals(name) { return member + 1 }
            member = Int(tape[member + 1].next)
        }
        return nil
    }

    private func elementIndex(_ position: Int) -> Int? {
        guard kind == .array, position >= 0, position < count else { return nil }
        var element = index + 1
        for _ in 0..<position { element = Int(tape[element].next) }
        return element
    }

    @_lifetime(copy self)
    @inline(__always)
    func memberName(_ member: Int) -> JSONString {
        JSONString(text.extracting(tape[member].range), isEscaped: tape[member].flag)
    }
}

extension JSONValue {
    /// Calls `body` with each element of an array, in order.
    public func forEachElement<E: Error>(_ body: (borrowing JSONValue) throws(E) -> Void) throws(E) {
        guard kind == .array else { return }
        var element = index + 1
        for _ in 0..<count {
            try body(JSONValue(text: text, tape: tape, index: element))
            element = Int(tape[element].next)
        }
    }

    /// Calls `body` with the name and value of each member of an object, in order.
    public func forEachMember<E: Error>(_ body: (borrowing JSONString, borrowing JSONValue) throws(E) -> Void) throws(E) {
        guard kind == .object else { return }
        var member = index + 1
        for _ in 0..<count {
            try body(memberName(member), JSONValue(text: text, tape: tape, index: member + 1))
            member = Int(tape[member + 1].next)
        }
    }

    func allElements(_ predicate: (borrowing JSONValue) -> Bool) -> Bool { !anyElement { !predicate($0) } }

    func anyElement(_ predicate: (borrowing JSONValue) -> Bool) -> Bool {
        guard kind == .array else { return false }
        var element = index + 1
        for _ in 0..<count {
            if predicate(JSONValue(text: text, tape: tape, index: element)) { return true }
            element = Int(tape[element].next)
        }
        return false
    }
}
