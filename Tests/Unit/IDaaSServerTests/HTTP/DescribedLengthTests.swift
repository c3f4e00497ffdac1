import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct DescribedLengthTests: ServerTests {
    @Test(.liveServer, arguments: ["X-device-fingerprint", "X-operating-sys-version", "X-agent"])
    func aFieldOfTheDeviceMayHave512Bytes(name: String) async throws {
        for (length, status) in [(512, 200), (513, 400)] {
            let fields = wire.fields.map { ($0.0, $0.0 == name ? String(repeating: "x", count: length) : $0.1) }
            let reply = try await wire.send("GET", "/api/v2/sdk/server-date", fields)
            #expect(reply.status == status, "\(length)")
            if status == 400 {
                #expect(reply.errorCode == "IDAAS.SDK.COMMON.1002")
                #expect(reply.details["args"] as? [String] == [name])
            }
        }
    }

    @Test
    func aMembersLengthIsCountedInCodePointsWhateverTheyTakeInUTF8() throws {
        let (fitting, longer) = (String(repeating: "é", count: 128), String(repeating: "😀", count: 129))
        let body = try JSONBody(text: Array(#"{"n":"\#(fitting)","m":"\#(longer)"}"#.utf8))
        #expect(try body.string("n", limit: 128).utf8.count == 256)
        #expect(throws: ServiceError(.invalidFormat, "m")) { try body.string("m", limit: 128) }
    }
}
