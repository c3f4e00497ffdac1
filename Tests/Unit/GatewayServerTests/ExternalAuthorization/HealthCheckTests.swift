import GatewayServer
import Testing

@Suite struct HealthCheckTests {
    private static func response(to message: [UInt8], isReady: Bool) -> Result<[UInt8], GRPCStatus> {
        Result { () throws(GRPCStatus) in try HealthCheck.response(to: message.span, isReady: isReady) }
    }

    @Test(arguments: [[], Protobuf.text(1, "envoy.service.auth.v3.Authorization")])
    func theServiceSaysWhetherItIsReady(_ message: [UInt8]) {
        #expect(Self.response(to: message, isReady: true) == .success([0x08, 1]))
        #expect(Self.response(to: message, isReady: false) == .success([0x08, 2]))
    }

    @Test func otherServicesAreNotFound() {
        #expect(Self.response(to: Protobuf.text(1, "other"), isReady: true) == .failure(.notFound))
        #expect(Self.response(to: [0x0a], isReady: true) == .failure(.invalidArgument))
    }
}
