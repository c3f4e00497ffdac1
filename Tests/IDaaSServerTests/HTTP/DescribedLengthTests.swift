#if IDaaS
import IDaaSServer
import IDaaSTestSupport
import Testing

@Suite("Lengths that the OpenAPI document describes")
struct DescribedLengthTests {
    @Test("A field of the device may have 512 bytes", arguments: ["X-device-fingerprint", "X-operating-sys-version", "X-agent"])
    func deviceFields(name: String) async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
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
    }

    @Test("A member's length is counted in code points, whatever they take in UTF-8")
    func members() throws {
        let (fitting, longer) = (String(repeating: "é", count: 128), String(repeating: "😀", count: 129))
        let body = try JSONBody(text: Array(#"{"n":"\#(fitting)","m":"\#(longer)"}"#.utf8))
        #expect(try body.string("n", limit: 128).utf8.count == 256)
        #expect(throws: ServiceError(.invalidFormat, "m")) { try body.string("m", limit: 128) }
    }
}
#endif
