import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

/// A service whose issuer publishes a status list.
@Suite struct StatusListServiceTests {
    private static let uri = "https://idp.example/status-lists/1"
    static let configuration = SampleConfiguration.replacing(
        "audiences: [client-1]", with: "audiences: [client-1]\n    statusLists: {}")

    static func token(_ forge: TokenForge, _ index: Int) -> String {
        let status = #""status":{"status_list":{"idx":\#(index),"uri":"\#(uri)"}}"#
        return forge.token(TokenForge.idToken.replacing("\"nonce\"", with: status + ",\"nonce\""))
    }

    private static func publish(_ statuses: [UInt8], issuedAt: Int64 = 1_700_000_000, _ gateway: RunningGateway) {
        let list = TestList().with {
            $0.uri = uri
            $0.bytes = statuses
            $0.issuedAt = issuedAt
            $0.signer = gateway.forge
        }
        gateway.transport.answer(uri, list.token)
    }

    @Test func theListOfTheIssuerJudgesItsTokens() async throws {
        try await RunningGateway.with(Self.configuration) { gateway async throws in
            Self.publish([0, 1, 2], gateway)
            let expected: [(Int, Int, String?)] = [(0, 200, nil), (1, 401, "revoked"), (2, 401, "suspended"), (3, 401, "invalid_status")]
            for (index, status, code) in expected {
                let answer = try #require(try await gateway.ask(bearing: Self.token(gateway.forge, index)))
                #expect(answer.status == status && answer.field("x-assay-code") == code, "\(index): \(answer)")
            }
            #expect(gateway.transport.requests.filter { $0.url == Self.uri }.count == 1)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            for line in [
                "assay_gateway_token_statuses_total{admitted=\"true\",finding=\"valid\",provider=\"idp\"} 1",
                "assay_gateway_token_statuses_total{admitted=\"false\",finding=\"invalid\",provider=\"idp\"} 1",
                "assay_gateway_status_lists{provider=\"idp\"} 1", "assay_gateway_status_lists_failing{provider=\"idp\"} 0",
                "assay_gateway_status_list_bytes{provider=\"idp\"} 3",
                "assay_gateway_decisions_total{code=\"suspended\",outcome=\"denied\",policy=\"api\"} 1",
            ] { #expect(metrics.contains(line + "\n"), "\(line)") }
            let status = try #require(try await gateway.operate("/status.json")).body
            for part in ["\"statusLists\":[{", "\"uri\":\"\(Self.uri)\"", "\"issued\":1700000000"] {
                #expect(status.contains(part), "\(part) in \(status)")
            }
        }
    }

    @Test func aLogoutCountsWithTheNextList() async throws {
        try await RunningGateway.with(Self.configuration) { gateway async throws in
            Self.publish([0], gateway)
            let token = Self.token(gateway.forge, 0)
            #expect(try await gateway.ask(bearing: token)?.status == 200)
            Self.publish([1], issuedAt: 1_700_000_010, gateway)
            gateway.clock.advance(by: .seconds(3_600))
            var statuses: [Int?] = []
            repeat { statuses.append(try await gateway.ask(bearing: token)?.status) } while statuses.last == 200 && statuses.count < 1_000
            #expect(statuses.last == 401)
        }
    }

    @Test func withoutItsListATokenIsRefusedForNow() async throws {
        try await RunningGateway.with(Self.configuration) { gateway async throws in
            let answer = try #require(try await gateway.ask(bearing: Self.token(gateway.forge, 0)))
            // nginx takes no 503 from the service.
            #expect(answer.status == 403 && answer.field("x-assay-code") == "status_unavailable")
        }
    }
}
