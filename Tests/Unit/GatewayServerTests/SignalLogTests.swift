import Foundation
import Gateway
import GatewayServer
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// What events have revoked, in the file that a restart reads.
@Suite struct SignalLogTests {
    @Test func aRestartFindsWhatWasAccepted() async throws {
        let folder = try TemporaryFolder()
        try await RunningGateway.with(SignalSample.text(), folder: folder) { gateway async throws in
            #expect(try await gateway.push(gateway.event())?.status == 202)
            // It is there before the answer, and not at the end of the process.
            #expect(folder.read("revocations.log").contains("\"sid\":\"sid-1\""))
        }
        try await RunningGateway.with(SignalSample.text(), folder: folder) { gateway async throws in
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge))?.status == 401)
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge, session: "sid-2"))?.status == 200)
            #expect(try await gateway.metrics.contains("assay_gateway_signals_revocations 1\n"))
            // The transmitter may not have got the answer.
            #expect(try await gateway.push(gateway.event())?.status == 202)
            #expect(try await gateway.metrics.contains("assay_gateway_signals_revocations 1\n"))
        }
    }

    @Test func aRevocationEndsWithTheLongestToken() async throws {
        let text = SignalSample.text().replacing("log: revocations.log", with: "log: revocations.log\n  tokenSeconds: 600")
        try await RunningGateway.with(text) { gateway async throws in
            #expect(try await gateway.push(gateway.event())?.status == 202)
            #expect(try await gateway.metrics.contains("assay_gateway_signals_revocations 1\n"))
            // The watch, the history, the upkeep and two refreshes of keys sleep.
            _ = await settles { gateway.clock.sleeperCount >= 5 }
            gateway.clock.advance(by: .seconds(661))
            var isForgotten = false, looks = 0
            while !isForgotten, looks < 1_000 {
                isForgotten = try await gateway.metrics.contains("assay_gateway_signals_revocations 0\n")
                looks += 1
            }
            #expect(isForgotten)
        }
    }

    @Test(arguments: ["{\"assay\":\"revocation-log\",\"version\":1}\njunk\n", "something else\n"])
    func aServiceDoesNotStartWithAFileThatItCannotRead(content: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("revocations.log", content)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        await #expect(throws: GatewayServer.StartFailure.self) {
            try await RunningGateway.with(SignalSample.text(), folder: folder) { _ in }
        }
    }

    @Test func twoServicesDoNotWriteOneFile() async throws {
        let folder = try TemporaryFolder()
        try await RunningGateway.with(SignalSample.text(), folder: folder) { _ in
            await #expect(throws: GatewayServer.StartFailure.self) {
                try await RunningGateway.with(SignalSample.text(), folder: folder) { _ in }
            }
        }
    }
}
