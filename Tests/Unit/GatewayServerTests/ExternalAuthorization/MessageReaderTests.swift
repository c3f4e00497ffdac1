import GatewayServer
import Testing

@Suite struct MessageReaderTests {
    /// Reads all fields.
    private static func fields(_ bytes: [UInt8]) -> Result<[ProtobufField], ProtobufFault> {
        Result { () throws(ProtobufFault) in
            var reader = MessageReader(bytes.span)
            var fields: [ProtobufField] = []
            while let field = try reader.next() { fields.append(field) }
            return fields
        }
    }

    @Test(arguments: [
        ([], []),
        ([0x08, 0x00], [ProtobufField(number: 1, value: .varint(0))]),
        // The encoding's own example: 150.
        ([0x08, 0x96, 0x01], [ProtobufField(number: 1, value: .varint(150))]),
        // An int64 of -1, as in `size`.
        ([0x48] + [UInt8](repeating: 0xff, count: 9) + [0x01], [ProtobufField(number: 9, value: .varint(.max))]),
        ([0x12, 0x02, 0x41, 0x42], [ProtobufField(number: 2, value: .bytes(2..<4))]),
        ([0x0d, 1, 2, 3, 4], [ProtobufField(number: 1, value: .fixed)]),
        ([0x09, 1, 2, 3, 4, 5, 6, 7, 8], [ProtobufField(number: 1, value: .fixed)]),
        ([0xf8, 0xff, 0xff, 0xff, 0x0f, 0x01], [ProtobufField(number: 536_870_911, value: .varint(1))]),
    ])
    func wellFormedFieldsAreRead(_ bytes: [UInt8], _ expected: [ProtobufField]) {
        #expect(Self.fields(bytes) == .success(expected))
    }

    @Test(arguments: [
        ([0x08], ProtobufFault.truncated),
        ([0x08, 0x80], .truncated),
        ([0x12, 0x03, 0x41, 0x42], .truncated),
        ([0x12], .truncated),
        ([0x0d, 1, 2, 3], .truncated),
        ([0x09, 1, 2, 3, 4, 5, 6, 7], .truncated),
        // A length of 2^64 - 1, and one of 2^63.
        ([0x12] + [UInt8](repeating: 0xff, count: 9) + [0x01], .truncated),
        ([0x12] + [UInt8](repeating: 0x80, count: 9) + [0x01], .truncated),
        // Superfluous bytes: zero in two bytes, one in three, a tag in two.
        ([0x08, 0x80, 0x00], .overlongVarint),
        ([0x08, 0x81, 0x80, 0x00], .overlongVarint),
        ([0x88, 0x00, 0x01], .overlongVarint),
        // 65 bits, and eleven bytes.
        ([0x08] + [UInt8](repeating: 0xff, count: 9) + [0x02], .overlongVarint),
        ([0x08] + [UInt8](repeating: 0x80, count: 10) + [0x01], .overlongVarint),
        // Field 0, field 2^29, the groups, the wire types that do not exist.
        ([0x00, 0x00], .invalidTag),
        ([0x80, 0x80, 0x80, 0x80, 0x10, 0x00], .invalidTag),
        ([0x0b], .invalidTag),
        ([0x0c], .invalidTag),
        ([0x0e], .invalidTag),
        ([0x0f], .invalidTag),
    ])
    func malformedFieldsAreRefused(_ bytes: [UInt8], _ expected: ProtobufFault) {
        #expect(Self.fields(bytes) == .failure(expected))
    }

    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 1 << 32, UInt64(1) << 63, .max])
    func aVarintOfEachLengthIsReadBack(_ value: UInt64) {
        #expect(Self.fields(Protobuf.number(3, value)) == .success([ProtobufField(number: 3, value: .varint(value))]))
        var writer = MessageWriter()
        writer.write(3, varint: value)
        #expect(writer.bytes == Protobuf.number(3, value))
    }
}
