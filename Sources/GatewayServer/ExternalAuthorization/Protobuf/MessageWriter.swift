/// Writes the fields of one protobuf message (the proto3 encoding). A caller leaves out what has its default value.
package struct MessageWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ number: UInt32, varint value: UInt64) {
        write(varint: UInt64(number) << 3)
        write(varint: value)
    }

    package mutating func write(_ number: UInt32, text: String) {
        write(varint: UInt64(number) << 3 | 2)
        write(varint: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func write(_ number: UInt32, message build: (inout MessageWriter) -> Void) {
        var inner = MessageWriter()
        build(&inner)
        write(varint: UInt64(number) << 3 | 2)
        write(varint: UInt64(inner.bytes.count))
        bytes.append(contentsOf: inner.bytes)
    }

    private mutating func write(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
