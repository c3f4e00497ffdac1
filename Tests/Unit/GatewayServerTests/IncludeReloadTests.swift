import Foundation
import GatewayServer
import JWTTestSupport
import Testing

@Suite struct IncludeReloadTests {
    /// Admits `/open…` without a token.
    private static func open(_ path: String) -> String {
        "policies:\n  - {name: \"\(path)\", requires: nothing}\nroutes:\n  - {path: /\(path), policy: \"\(path)\"}\n"
    }

    private static let own = IncludedFilesTests.own + "include: [conf.d/*.yaml, partners.yaml]\n"

    /// A service whose configuration includes `partners.yaml` and an empty folder.
    private static func with(_ body: (RunningGateway) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/conf.d", withIntermediateDirectories: true)
        _ = try folder.write("partners.yaml", open("partners"))
        try await RunningGateway.with(own, folder: folder, body)
    }

    private static func status(_ path: String, of gateway: RunningGateway) async throws -> Int? { try await gateway.ask(path)?.status }

    private static func reloads(_ gateway: RunningGateway) -> Int { gateway.log.all.count { $0.contains("\"message\":\"reloaded\"") } }

    private static func isReloaded(_ gateway: RunningGateway, after reloads: Int) async -> Bool {
        await gateway.lookTwice { Self.reloads(gateway) > reloads }
    }

    @Test func aChangedANewAndARemovedFileCount() async throws {
        try await Self.with { gateway async throws in
            #expect(try await Self.status("/partners", of: gateway) == 200)
            _ = try gateway.folder.write("partners.yaml", Self.open("others"))
            #expect(await Self.isReloaded(gateway, after: 0))
            #expect(try await Self.status("/partners", of: gateway) == 403)
            #expect(try await Self.status("/others", of: gateway) == 200)
            _ = try gateway.folder.write("conf.d/shop.yaml", Self.open("shop"))
            #expect(await Self.isReloaded(gateway, after: 1))
            #expect(try await Self.status("/shop", of: gateway) == 200)
            try FileManager.default.removeItem(atPath: gateway.folder.path + "/conf.d/shop.yaml")
            #expect(await Self.isReloaded(gateway, after: 2))
            #expect(try await Self.status("/shop", of: gateway) == 403)
            #expect(try await Self.status("/others", of: gateway) == 200)
        }
    }

    /// All files count, or none: the good change of one waits for the other.
    @Test func aFaultInOneFileKeepsAllThatIsInForce() async throws {
        try await Self.with { gateway async throws in
            _ = try gateway.folder.write("conf.d/shop.yaml", Self.open("shop"))
            _ = try gateway.folder.write("partners.yaml", "routes: [")
            let isTold = await gateway.lookTwice { gateway.log.text.contains("\"message\":\"not reloaded\"") }
            #expect(isTold && gateway.log.text.contains("partners.yaml:"))
            #expect(try await Self.status("/partners", of: gateway) == 200)
            #expect(try await Self.status("/shop", of: gateway) == 403)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("assay_gateway_configuration_current 0\n"))
            // The same fault is told once.
            for _ in 0..<3 { _ = await gateway.lookTwice { false } }
            #expect(gateway.log.all.count { $0.contains("\"message\":\"not reloaded\"") } == 1)
            _ = try gateway.folder.write("partners.yaml", Self.open("others"))
            #expect(await Self.isReloaded(gateway, after: 0))
            #expect(try await Self.status("/shop", of: gateway) == 200)
            #expect(try await Self.status("/others", of: gateway) == 200)
        }
    }

    /// A path that is no pattern has to be there.
    @Test func aFileThatIsGoneKeepsItsRoutesAndIsTold() async throws {
        try await Self.with { gateway async throws in
            try FileManager.default.removeItem(atPath: gateway.folder.path + "/partners.yaml")
            let isTold = await gateway.lookTwice { gateway.log.text.contains("\"message\":\"not reloaded\"") }
            #expect(isTold && gateway.log.text.contains("there is no file"))
            #expect(try await Self.status("/partners", of: gateway) == 200)
            _ = try gateway.folder.write("partners.yaml", Self.open("others"))
            #expect(await Self.isReloaded(gateway, after: 0))
            #expect(try await Self.status("/others", of: gateway) == 200)
        }
    }

    /// The configuration names the file first, and the operator writes it afterwards.
    @Test func anIncludeOfARefusedConfigurationIsAwaited() async throws {
        try await RunningGateway.with { gateway async throws in
            _ = try gateway.folder.write("gateway.yaml", IncludedFilesTests.own + "include: late.yaml\n")
            gateway.server.reloadConfiguration()
            #expect(gateway.log.text.contains("\"message\":\"not reloaded\""))
            _ = try gateway.folder.write("late.yaml", Self.open("late"))
            #expect(await Self.isReloaded(gateway, after: 0))
            #expect(try await Self.status("/late", of: gateway) == 200)
        }
    }
}
