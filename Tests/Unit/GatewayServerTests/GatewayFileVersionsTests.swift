import GatewayServer
import JWTTestSupport
import Testing

/// What operators see of a gateway whose own file does not handle the field of a claim.
@Suite struct GatewayFileVersionsTests {
    private static let more = SampleConfiguration.replacing(
        "      - header: x-user", with: "      - {header: x-more, claim: email}\n      - header: x-user")

    private static func ask(_ gateway: RunningGateway, _ version: String) async throws -> String? {
        let answer = try await gateway.ask(["X-Assay-Fields: \(version)", "Authorization: Bearer \(gateway.forge.token())"])
        return try #require(answer).field("x-assay-code")
    }

    private static func isBehind(_ gateway: RunningGateway) async throws -> Bool {
        let metrics = try #require(try await gateway.operate("/metrics")).body
        #expect(metrics.contains("# TYPE assay_gateway_file_behind gauge\n"))
        return metrics.contains("assay_gateway_file_behind{listener=\"edge\"} 1\n")
    }

    private static func reload(_ gateway: RunningGateway, _ text: String) throws {
        _ = try gateway.folder.write("gateway.yaml", text)
        gateway.server.reloadConfiguration()
    }

    private static func lines(_ gateway: RunningGateway) -> [String] {
        gateway.log.all.filter { $0.contains("the gateway's file is behind") }
    }

    @Test func aReloadSaysWhichFileIsBehindOnceAndBeforeTheNextQuestion() async throws {
        try await RunningGateway.with { gateway async throws in
            #expect(try await Self.ask(gateway, "x-user") == nil)
            #expect(try await !Self.isBehind(gateway))
            try Self.reload(gateway, Self.more)
            #expect(try await Self.isBehind(gateway))
            let line = try #require(Self.lines(gateway).first)
            #expect(
                line.contains("\"listener\":\"edge\"") && line.contains("\"fields\":\"x-more\"") && line.contains("\"generation\":\"2\""))
            for _ in 0..<3 { #expect(try await Self.ask(gateway, "x-user") == "unhandled_field") }
            #expect(Self.lines(gateway).count == 1)
        }
    }

    /// Caddy 2.6 sends its own placeholder for a field that the answer lacks.
    @Test func aFieldOfTheFileThatNoClaimHasIsEmpty() async throws {
        try await RunningGateway.with { gateway async throws in
            for _ in 0..<2 {
                let fields = ["X-Assay-Fields: x-user, X-Spare y-* location", "Authorization: Bearer \(gateway.forge.token())"]
                let answer = try #require(try await gateway.ask(fields))
                #expect(answer.status == 200 && answer.field("x-spare") == "" && answer.field("x-user") != "")
                #expect(answer.field("location") == nil && answer.field("y-*") == nil)
                let refusal = try #require(try await gateway.ask(["X-Assay-Fields: x-user x-spare"]))
                #expect(refusal.status == 401 && refusal.field("x-spare") == nil)
            }
        }
    }

    @Test func theGaugeFollowsTheFileThatAsksAndTheLogHasEachVersionOnce() async throws {
        try await RunningGateway.with(Self.more) { gateway async throws in
            for (version, code, count) in [
                ("x-user", "unhandled_field", 1), ("x-user x-more", nil, 1), ("x-user", "unhandled_field", 1),
                ("x-us*", "unhandled_field", 2),
                ("x-*", nil, 2),
            ] {
                #expect(try await Self.ask(gateway, version) == code)
                #expect(try await Self.isBehind(gateway) == (code != nil))
                #expect(Self.lines(gateway).count == count)
            }
            // The last version handles the fields of the next configuration too.
            try Self.reload(gateway, Self.more.replacing("x-more", with: "x-other"))
            #expect(try await !Self.isBehind(gateway))
            #expect(Self.lines(gateway).count == 2)
            // A version is told again after a reload.
            #expect(try await Self.ask(gateway, "x-user") == "unhandled_field")
            #expect(Self.lines(gateway).count == 3)
            try Self.reload(gateway, SampleConfiguration.text)
            #expect(try await !Self.isBehind(gateway))
        }
    }

    /// Where the gateway's file does not replace the field, clients write it.
    @Test func clientsCannotFillTheLog() async throws {
        try await RunningGateway.with(Self.more) { gateway async throws in
            for number in 0..<40 {
                #expect(try await Self.ask(gateway, "x-\(number)") == "unhandled_field")
                #expect(try await Self.isBehind(gateway))
            }
            #expect(Self.lines(gateway).count == 16)
            #expect(!Self.lines(gateway).joined().contains("x-3"))
        }
    }

    @Test func aFileThatNamesNoFieldsIsNotBehind() async throws {
        try await RunningGateway.with { gateway async throws in
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            try Self.reload(gateway, Self.more)
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            #expect(try await !Self.isBehind(gateway))
            #expect(Self.lines(gateway).isEmpty)
        }
    }
}
