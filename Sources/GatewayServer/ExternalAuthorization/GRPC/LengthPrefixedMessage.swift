/// The framing of a gRPC message: a byte that says whether the message is compressed, its length in four bytes, the message.
package enum LengthPrefixedMessage {
    package static let prefixBytes = 5

    /// The place of the only message in the body of a unary call.
    ///
    /// - Throws: `unimplemented` for a compressed message, because the server offers no compression; `internal` for other framing, a second
    ///   message and a missing one.
    package static func range(in body: Span<UInt8>) throws(GRPCStatus) -> Range<Int> {
        guard body.count >= prefixBytes else { throw .internal }
        guard body[0] <= 1 else { throw .internal }
        guard body[0] == 0 else { throw .unimplemented }
        let length = (1..<prefixBytes).reduce(0) { $0 << 8 | Int(body[$1]) }
        guard length == body.count - prefixBytes else { throw .internal }
        return prefixBytes..<body.count
    }

    /// The prefix of a message that is not compressed.
    package static func prefix(ofBytes count: Int) -> [UInt8] { [0] + bigEndianBytes(UInt32(count)) }

    private static func bigEndianBytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}
