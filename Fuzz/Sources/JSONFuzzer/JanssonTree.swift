import CJansson
import JWTCore

/// A text as jansson reads it.
final class JanssonTree {
    private let root: UnsafeMutablePointer<json_t>

    /// Nil for what jansson refuses.
    init?(_ text: [UInt8]) {
        var position = 0
        var duplicate: Int32 = 0
        let parsed = text.withUnsafeBytes {
            cjansson_parse($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &position, &duplicate)
        }
        guard let parsed else { return nil }
        root = parsed
    }

    deinit { cjansson_release(root) }

    /// Traps unless both have the same values.
    func compare(_ value: borrowing JSONValue) { Self.compare(value, root) }

    private static func compare(_ value: borrowing JSONValue, _ other: UnsafeMutablePointer<json_t>) {
        switch other.pointee.type {
        case JSON_OBJECT: compareMembers(value, other)
        case JSON_ARRAY: compareElements(value, other)
        case JSON_STRING:
            let text = UnsafeRawBufferPointer(start: json_string_value(other), count: json_string_length(other))
            precondition(value.string?.utf8.elementsEqual(text) ?? false, "another string")
        case JSON_REAL, JSON_INTEGER: precondition(value.number?.double == json_number_value(other), "another number")
        case JSON_TRUE: precondition(value.bool == true, "true is something else")
        case JSON_FALSE: precondition(value.bool == false, "false is something else")
        default: precondition(value.isNull, "null is something else")
        }
    }

    private static func compareElements(_ value: borrowing JSONValue, _ other: UnsafeMutablePointer<json_t>) {
        precondition(value.isArray && value.count == json_array_size(other), "another array")
        var place = 0
        value.forEachElement { element in
            guard let twin = json_array_get(other, place) else { preconditionFailure("a missing element") }
            compare(element, twin)
            place += 1
        }
    }

    private static func compareMembers(_ value: borrowing JSONValue, _ other: UnsafeMutablePointer<json_t>) {
        precondition(value.isObject && value.count == json_object_size(other), "another object")
        value.forEachMember { name, member in
            guard let twin = json_object_get(other, name.string) else { preconditionFailure("a missing member") }
            compare(member, twin)
        }
    }
}
