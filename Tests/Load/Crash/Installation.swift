internal import Foundation
internal import IDaaSFlows
internal import JWKSCache
internal import LoginSupport

/// What users reach at one address: one server over its database, or several behind a proxy.
actor Installation {
    nonisolated let directory: URL
    nonisolated let url: String
    nonisolated let database: Database
    private let command: String
    private let servers: [Server]
    /// Simulates the other providers for several servers, and is never killed.
    private let simulators: Server?
    private let port: Int
    private let transport: any FlowTransport
    private var proxy: Proxy?
    private var next = 0

    init(command: String, servers count: Int, database: Database, in directory: URL) throws {
        self.command = command
        self.directory = directory
        self.database = database
        let port = try Self.freePort(), isShared = count > 1, url = "http://127.0.0.1:\(port)"
        (self.port, self.url) = (port, url)
        transport = try FlowEnvironment.http(
            for: FlowConfiguration(domain: url, clientID: "demo"), store: MemorySessionStore()
        ).transport
        let common = ["--db", database.setting, "--client", "demo", "--public-url", url]
        let alone = common + ["--simulators", "--config", "Tests/Wire/unlimited.yaml"]
        guard isShared else {
            servers = [Server(command: command, port: port, options: alone, in: directory)]
            simulators = nil
            return
        }
        let simulating = Server(command: command, port: try Self.freePort(), options: alone, in: directory)
        let settings = directory.appending(path: "idaas.yaml")
        try Self.settings(simulating.url).write(to: settings, atomically: true, encoding: .utf8)
        servers = try (0..<count).map { _ in
            Server(command: command, port: try Self.freePort(), options: common + ["--config", settings.path], in: directory)
        }
        simulators = simulating
    }

    /// The limits of the test, and the other providers at the server that simulates them.
    private static func settings(_ simulators: String) throws -> String {
        try String(contentsOfFile: "Tests/Wire/unlimited.yaml", encoding: .utf8) + """

            upstreams:
              wechat: \(simulators)/__simulators/wechat
              dypnsapi: \(simulators)/__simulators/dypnsapi
              allowsPrivateAddresses: true

            """
    }

    /// A port of loopback for one program that listens with SO_REUSEADDR. Until this process ends no connection gets it, also while the program
    /// is away: a socket that does not listen stays bound to it.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Wrong("no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    nonisolated var administration: AdministrationCommand {
        AdministrationCommand(command: command, options: ["--dev", "--db", database.setting], environment: Server.environment)
    }

    /// Starts what does not run, and returns when a request is answered.
    func start() async throws {
        if let simulators { try await simulators.start() }
        for server in servers { try await server.start() }
        guard let simulators else { return }
        proxy = try proxy ?? Proxy(port: port, simulators: simulators.port, servers: servers.map(\.port), in: directory)
        try await waitForAnswer()
    }

    private func waitForAnswer() async throws {
        let request = OutgoingRequest("GET", url: url + "/healthz", fields: [], body: [], timeLimit: .seconds(1))
        for _ in 0..<600 {
            if (try? await transport.send(request))?.status == 200 { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Wrong("the proxy does not answer")
    }

    /// Kills one server after the other, in turn, and starts it again.
    func replaceOne() async throws {
        let server = servers[next % servers.count]
        next += 1
        await server.kill()
        try await server.start()
    }

    /// Kills every server that users reach.
    func kill() async { for server in servers { await server.kill() } }

    func stop() async {
        await kill()
        await simulators?.kill()
        proxy?.stop()
        proxy = nil
    }

    /// What the servers sent. A server has another development token after each start.
    func outbox() async -> Outbox {
        var places: [Outbox.Place] = []
        for server in servers { places.append((server.url, await server.token)) }
        return Outbox(places, transport: transport)
    }

    /// Moves the clock of every server.
    func advance(by seconds: Int) async throws {
        for server in servers {
            let answer = try await transport.send(
                OutgoingRequest(
                    "POST", url: server.url + "/__dev/clock",
                    fields: [HeaderField("X-Assay-Dev", await server.token), HeaderField("Content-Type", "application/json")],
                    body: Array("{\"advance\":\(seconds)}".utf8), timeLimit: .seconds(10)))
            guard answer.status == 200 else { throw Wrong("the clock answers \(answer.status)") }
        }
    }
}
