internal import IDaaSFlows
internal import LoginSupport

/// The tenant as the users of one of its clients reach it.
struct Tenant: Sendable {
    let configuration: FlowConfiguration
    let environment: FlowEnvironment
    /// The AppID of its application at WeChat.
    let weChat: String
    private let installation: Installation

    /// The client that servers begin with. Sends new WeChat accounts to registration.
    static func registering(_ installation: Installation) async throws -> Tenant {
        try await Tenant(installation, client: "demo", weChat: "wx0000000000000000")
    }

    /// Adds a client that sends new WeChat accounts to binding.
    static func binding(_ installation: Installation) async throws -> Tenant {
        let (client, weChat) = ("binding", "wx1111111111111111")
        try installation.administration.run("client", "add", "--name", client, "--id", client)
        try installation.administration.run(
            "client", "wechat", client, "--app", weChat, "--no-registers-new-users", input: "simulated-app-secret")
        return try await Tenant(installation, client: client, weChat: weChat)
    }

    /// - Parameter installation: has an address, which it keeps over restarts.
    private init(_ installation: Installation, client: String, weChat: String) async throws {
        self.installation = installation
        self.weChat = weChat
        configuration = try FlowConfiguration(domain: installation.url, clientID: client)
        environment = try .http(for: configuration, store: MemorySessionStore())
    }

    /// The latest code for a number.
    func code(for mobile: String) async throws -> String? {
        try await installation.outbox().code(for: mobile)
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
