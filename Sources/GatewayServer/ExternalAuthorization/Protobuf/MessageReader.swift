/// Reads the fields of one protobuf message in their order, without a copy (the proto3 encoding).
///
/// The reader is stricter than protobuf demands: a varint has no superfluous bytes, groups are refused, and a field that its message has once
/// may not be repeated, because two readers could take different values. It never descends by itself, so nested messages cost no stack.
package struct MessageReader: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset = 0
    /// A bit for each field number of ``once(_:)``.
    private var seen: UInt64 = 0

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// The next field; nil at the end of the message. Its value is in the bounds of the message, and its content is not checked.
    package mutating func next() throws(ProtobufFault) -> ProtobufField? {
        guard offset < bytes.count else { return nil }
        let tag = try varint()
        guard let number = UInt32(exactly: tag >> 3), 1...0x1fff_ffff ~= number else { throw .invalidTag }
        switch tag & 7 {
        case 0: return ProtobufField(number: number, value: .varint(try varint()))
        case 1: return ProtobufField(number: number, value: try fixed(8))
        case 2: return ProtobufField(number: number, value: .bytes(try range(of: try varint())))
        case 5: return ProtobufField(number: number, value: try fixed(4))
        default: throw .invalidTag
        }
    }

    /// Notes a field that the message may have once. Its number is below 64.
    package mutating func once(_ field: ProtobufField) throws(ProtobufFault) {
        let bit = UInt64(1) << UInt64(field.number)
        guard seen & bit == 0 else { throw .repeatedField }
        seen |= bit
    }

    /// The bytes of a field.
    @_lifetime(copy self)
    package func content(_ field: ProtobufField) throws(ProtobufFault) -> Span<UInt8> {
        guard case .bytes(let range) = field.value else { throw .wrongWireType }
        return bytes.extracting(range)
    }

    /// A string, which proto3 demands to be UTF-8.
    package func text(_ field: ProtobufField) throws(ProtobufFault) -> String {
        do {
            return String(copying: try UTF8Span(validating: try content(field)))
        } catch let fault as ProtobufFault {
            throw fault
        } catch {
            throw .invalidUTF8
        }
    }

    private mutating func varint() throws(ProtobufFault) -> UInt64 {
        var value: UInt64 = 0
        for position in 0..<10 {
            guard offset < bytes.count else { throw .truncated }
            let byte = bytes[offset]
            offset += 1
            // The tenth byte has one bit, and a last byte of 0 adds nothing.
            guard position < 9 || byte <= 1, position == 0 || byte != 0 else { throw .overlongVarint }
            value |= UInt64(byte & 0x7f) << UInt64(7 * position)
            if byte < 0x80 { return value }
        }
        throw .overlongVarint
    }

    private mutating func fixed(_ count: UInt64) throws(ProtobufFault) -> ProtobufField.Value {
        _ = try range(of: count)
        return .fixed
    }

    /// The next `count` bytes. The comparison is made before the conversion, which a count of 2^63 would trap.
    private mutating func range(of count: UInt64) throws(ProtobufFault) -> Range<Int> {
        guard count <= UInt64(bytes.count - offset) else { throw .truncated }
        let range = offset..<offset + Int(count)
        offset = range.upperBound
        return range
    }
}
