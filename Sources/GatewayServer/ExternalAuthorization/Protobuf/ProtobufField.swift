/// A field of a message, as its tag describes it.
package struct ProtobufField: Hashable, Sendable {
    package let number: UInt32
    package let value: Value

    package init(number: UInt32, value: Value) {
        self.number = number
        self.value = value
    }

    package enum Value: Hashable, Sendable {
        case varint(UInt64)
        /// The place of a string, of bytes or of a message.
        case bytes(Range<Int>)
        /// Four or eight bytes. No field that this module reads has them.
        case fixed
    }
}
