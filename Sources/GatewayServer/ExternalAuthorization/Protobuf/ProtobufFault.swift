/// Why bytes are not the expected protobuf message.
public enum ProtobufFault: String, Error, Hashable, Sendable, CaseIterable {
    /// A field ends after its message.
    case truncated
    /// A varint has more than 64 bits or superfluous bytes.
    case overlongVarint = "overlong_varint"
    /// A field number of 0 or above 2^29 - 1, a group, or a wire type that does not exist.
    case invalidTag = "invalid_tag"
    /// A known field has a wire type other than its own.
    case wrongWireType = "wrong_wire_type"
    /// A field or a key of a map that may occur once occurs twice, or two fields that exclude each other occur.
    case repeatedField = "repeated_field"
    /// A string is not UTF-8.
    case invalidUTF8 = "invalid_utf8"
    /// A name of a header field has characters that no such name has (RFC 9110 section 5.6.2).
    case invalidName = "invalid_name"
    /// A needed field is absent or empty.
    case missingField = "missing_field"
    /// A list or a map has more entries than its limit.
    case tooManyEntries = "too_many_entries"
}
