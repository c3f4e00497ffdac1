import Gateway
import GatewayServer
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@Suite struct AuthorizationCallTests {
    @Test func anAdmissionIsAnswered() async throws {
        let call = try await Call { _ in .allowed(Admission(policy: "p", fields: [], removed: [], provider: nil, waived: nil)) }
        try await call.send(.check, Call.framed(Protobuf.checkRequest(http: Protobuf.get)))
        let answer = try await call.answer()
        #expect(answer.head == [":status": "200", "content-type": "application/grpc"])
        #expect(answer.message?.starts(with: [0x0a, 0x00, 0x1a]) == true)
        #expect(answer.trailers == ["grpc-status": "0"])
    }

    @Test(arguments: [true, false]) func theAddressOfTheClientIsReadWhereItIsLogged(isLogged: Bool) async throws {
        let call = try await Call(readsClient: isLogged) {
            .denied(Denial(policy: $0.client ?? "none", reason: .missingToken, status: 401))
        }
        let peer = Protobuf.bytes(1, Protobuf.bytes(1, Protobuf.bytes(1, Protobuf.text(2, "192.0.2.7"))))
        try await call.send(.check, Call.framed(Protobuf.checkRequest(http: Protobuf.get, attributes: peer)))
        let denial = Denial(policy: isLogged ? "192.0.2.7" : "none", reason: .missingToken, status: 401)
        #expect(try await call.answer().message == CheckResponse(.denied(denial)).bytes)
    }

    /// Envoy tells it about its own connection. A field of the client is none.
    @Test(arguments: ["", "-----BEGIN%20CERTIFICATE-----%0A"]) func theCertificateOfThePeerIsRead(text: String) async throws {
        let call = try await Call { .denied(Denial(policy: $0.certificate?.text ?? "none", reason: .missingToken, status: 401)) }
        let peer = Protobuf.bytes(1, Protobuf.text(5, text) + Protobuf.text(4, "spiffe://a"))
        try await call.send(.check, Call.framed(Protobuf.checkRequest(http: Protobuf.get, attributes: peer)))
        let denial = Denial(policy: text.isEmpty ? "none" : text, reason: .missingToken, status: 401)
        #expect(try await call.answer().message == CheckResponse(.denied(denial)).bytes)
    }

    @Test func aCertificateThatIsRepeatedIsNoMessage() throws {
        let peer = Protobuf.bytes(1, Protobuf.text(5, "a") + Protobuf.text(5, "b"))
        let message = Protobuf.checkRequest(http: Protobuf.get, attributes: peer)
        #expect(throws: ProtobufFault.repeatedField) { try CheckRequest(decoding: message.span) }
    }

    @Test func aMessageInPiecesIsAnsweredAtItsEnd() async throws {
        let call = try await Call { .denied(Denial(policy: $0.target, reason: .missingToken, status: 401)) }
        try await call.sendHead(.check)
        let body = Call.framed(Protobuf.checkRequest(http: Protobuf.get))
        for byte in body { try await call.sendData([byte]) }
        #expect(try await call.channel.readOutbound(as: HTTP2Frame.FramePayload.self) == nil)
        try await call.sendData([], ends: true)
        #expect(try await call.answer().trailers == ["grpc-status": "0"])
    }

    /// Fields behind a message end it, and are not read.
    @Test func trailersEndAMessage() async throws {
        let call = try await Call { .denied(Denial(policy: $0.fields.map(\.name).joined(), reason: .missingToken, status: 401)) }
        try await call.sendHead(.check)
        try await call.sendData(Call.framed(Protobuf.checkRequest(http: Protobuf.get)))
        try await call.sendTrailers(["grpc-status": "0"], ends: false)
        #expect(try await call.channel.readOutbound(as: HTTP2Frame.FramePayload.self) == nil)
        try await call.sendTrailers(["authorization": "Bearer t"], ends: true)
        let answer = try await call.answer()
        #expect(answer.message == CheckResponse(.denied(Denial(policy: "", reason: .missingToken, status: 401))).bytes)
    }

    /// What follows the end of a call changes nothing.
    @Test func aCallIsAnsweredOnce() async throws {
        let call = try await Call { _ in .allowed(Admission(policy: "p", fields: [], removed: [], provider: nil, waived: nil)) }
        try await call.send(.check, Call.framed(Protobuf.checkRequest(http: Protobuf.get)))
        try await call.sendData(Call.framed(Protobuf.checkRequest(http: Protobuf.get)), ends: true)
        try await call.sendTrailers(["a": "b"], ends: true)
        #expect(try await call.answer().trailers == ["grpc-status": "0"])
        #expect(try await call.channel.readOutbound(as: HTTP2Frame.FramePayload.self) == nil)
    }

    @Test(arguments: [[], [0x0a], Protobuf.checkRequest(http: Protobuf.text(2, "GET")), [0x0a, 0x80, 0x00]])
    func aMalformedRequestIsRefusedAndTold(_ message: [UInt8]) async throws {
        let call = try await Call { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }
        try await call.send(.check, Call.framed(message))
        let answer = try await call.answer()
        #expect(answer.message == CheckResponse(.denied(Denial(policy: nil, reason: .malformedRequest, status: 400))).bytes)
        #expect(answer.trailers == ["grpc-status": "0"])
        #expect(call.refused.reasons == [.malformedRequest])
    }

    /// A client of Envoy can make its request's message too large, and must not gain from it.
    @Test func aTooLargeMessageIsRefusedBeforeItsEnd() async throws {
        let call = try await Call { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }
        try await call.sendHead(.check)
        try await call.sendData([UInt8](repeating: 0, count: AuthorizationLimits().messageBytes + 5))
        #expect(try await call.channel.readOutbound(as: HTTP2Frame.FramePayload.self) == nil)
        try await call.sendData([0])
        #expect(try await call.answer().message?.starts(with: [0x0a]) == true)
        #expect(call.refused.reasons == [.malformedRequest])
        #expect(!call.channel.isActive)
    }

    @Test(arguments: [
        ([UInt8](), "13"), ([0, 0, 0, 0, 9, 1], "13"), ([1, 0, 0, 0, 0], "12"), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "13"),
    ])
    func otherFramingFailsTheCall(_ body: [UInt8], _ status: String) async throws {
        let call = try await Call { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }
        try await call.send(.check, body)
        #expect(try await call.answer().head["grpc-status"] == status)
    }

    @Test func otherMethodsAreUnimplemented() async throws {
        let call = try await Call { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }
        try await call.sendHead(path: "/envoy.service.auth.v2.Authorization/Check")
        #expect(try await call.answer().head["grpc-status"] == "12")
    }

    @Test(arguments: [("GET", "application/grpc"), ("POST", "application/json"), ("POST", "application/grpc-web")])
    func otherRequestsAreNoCalls(_ method: String, _ type: String) async throws {
        let call = try await Call { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }
        try await call.sendHead(path: GRPCMethod.check.rawValue, method: method, type: type)
        #expect(try await call.answer().head == [":status": "415"])
    }

    @Test func aMessageThatDoesNotArriveFailsTheCall() async throws {
        let call = try await Call { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }
        try await call.sendHead(.check)
        await call.channel.testingEventLoop.advanceTime(by: .seconds(9))
        #expect(call.channel.isActive)
        await call.channel.testingEventLoop.advanceTime(by: .seconds(1))
        #expect(try await call.answer().head["grpc-status"] == "4")
        #expect(!call.channel.isActive)
    }

    @Test func aCallThatEnvoyGivesUpIsCancelled() async throws {
        let (ended, end) = AsyncStream<Bool>.makeStream()
        let call = try await Call { _ in
            try? await Task.sleep(for: .seconds(600))
            end.yield(Task.isCancelled)
            return .denied(Denial(policy: nil, reason: .noRoute, status: 403))
        }
        try await call.send(.check, Call.framed(Protobuf.checkRequest(http: Protobuf.get)))
        try await call.channel.close()
        #expect(await ended.first { _ in true } == true)
    }

    @Test func healthIsTold() async throws {
        let call = try await Call { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }
        try await call.send(.health, Call.framed([]))
        #expect(try await call.answer().message == [0x08, 1])
    }
}
