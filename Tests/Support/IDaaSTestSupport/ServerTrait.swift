package import IDaaSServer
package import Testing

/// A test with a server of its own, which starts before the test and always stops after it. The suite is ``ServerTests``.
package struct ServerTrait: TestTrait, TestScoping {
    @TaskLocal fileprivate static var server: LiveServer?

    /// Runs a test with a server.
    package typealias Frame = @Sendable (_ body: (LiveServer) async throws -> Void) async throws -> Void

    private let frame: Frame

    package init(_ frame: @escaping Frame) { self.frame = frame }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await frame { server in try await Self.$server.withValue(server, operation: body) }
    }
}

/// A suite of tests with a ``ServerTrait``.
package protocol ServerTests {}

extension ServerTests {
    /// The server of the test that runs.
    package var server: LiveServer { ServerTrait.server! }

    package var wire: WireClient { server.wire() }
}

extension Trait where Self == ServerTrait {
    package static var liveServer: Self { liveServer() }

    package static func liveServer(_ configure: @Sendable @escaping (inout ServerConfiguration) -> Void = { _ in }) -> Self {
        Self { body in try await LiveServer.with(configure: configure, body) }
    }
}

extension ServerConfiguration {
    /// A proxy on this machine speaks TLS for the server.
    package mutating func standBehindProxy() {
        proxy.behind = true
        proxy.trusted = ["127.0.0.1"]
        publicURL = "https://login.example.com"
    }
}
