internal import IDaaSFlows
internal import LoginSupport

/// The tenant as the users of one of its clients reach it.
struct Tenant: Sendable {
    let configuration: FlowConfiguration
    let environment: FlowEnvironment
    /// The AppID of its application at WeChat.
    let weChat: String
    private let server: Server

    /// The client that the server begins with. Sends new WeChat accounts to registration.
    static func registering(_ server: Server) async throws -> Tenant {
        try await Tenant(server, client: "demo", weChat: "wx0000000000000000")
    }

    /// Adds a client that sends new WeChat accounts to binding.
    static func binding(_ server: Server) async throws -> Tenant {
        let (client, weChat) = ("binding", "wx1111111111111111")
        try server.administration.run("client", "add", "--name", client, "--id", client)
        try server.administration.run(
            "client", "wechat", client, "--app", weChat, "--no-registers-new-users", input: "simulated-app-secret")
        return try await Tenant(server, client: client, weChat: weChat)
    }

    /// - Parameter server: has an address, which it keeps over restarts.
    private init(_ server: Server, client: String, weChat: String) async throws {
        self.server = server
        self.weChat = weChat
        configuration = try FlowConfiguration(domain: await server.url, clientID: client)
        environment = try .http(for: configuration, store: MemorySessionStore())
    }

    /// The latest code for a number. The server has another development token after each restart.
    func code(for mobile: String) async throws -> String? {
        let outbox = await Outbox(domain: server.url, token: server.token, transport: environment.transport)
        return try await outbox.code(for: mobile)
    }

    /// Flows of a device of its own.
    func flows(_ store: any SessionStore, keys: (any BiometricKeyStore)? = nil) -> Flows {
        var environment = environment
        environment.store = store
        if let keys { environment.biometricKeys = keys }
        return Flows(configuration, environment)
    }

    func pc(_ device: String) -> PC {
        PC(domain: configuration.domain, client: configuration.clientID, device: device, transport: environment.transport)
    }
}
