import GatewayServer
import Testing

@Suite struct LengthPrefixedMessageTests {
    private static func range(_ body: [UInt8]) -> Result<Range<Int>, GRPCStatus> {
        Result { () throws(GRPCStatus) in try LengthPrefixedMessage.range(in: body.span) }
    }

    @Test(arguments: [
        ([], GRPCStatus.internal),
        ([0, 0, 0, 0], .internal),
        ([0, 0, 0, 0, 1], .internal),
        ([0, 0, 0, 0, 0, 1], .internal),
        ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .internal),
        ([0, 0xff, 0xff, 0xff, 0xff, 1], .internal),
        ([2, 0, 0, 0, 0], .internal),
        ([1, 0, 0, 0, 0], .unimplemented),
    ])
    func otherFramingIsRefused(_ body: [UInt8], _ status: GRPCStatus) { #expect(Self.range(body) == .failure(status)) }

    @Test(arguments: [0, 1, 255, 256, 65_536, 70_000])
    func aMessageIsFoundBehindItsPrefix(_ count: Int) {
        let body = LengthPrefixedMessage.prefix(ofBytes: count) + [UInt8](repeating: 7, count: count)
        #expect(Self.range(body) == .success(5..<5 + count))
    }
}
