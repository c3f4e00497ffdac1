internal import IDaaSWire
internal import Secrets

/// The operations of an administrator. A process that can open the store may do all of them.
package struct Administration: DomainService {
    package let environment: SharedEnvironment
    let clients: Clients
    let clientKeys: ClientKeys

    // Clients

    /// Adds a client, with a key for `X-signature`.
    ///
    /// - Parameters:
    ///   - name: the display name, also in messages.
    ///   - id: `X-client-id`, at most 64 letters, digits, `-`, `_` and `.`; nil generates one.
    /// - Throws: ``AdministrationFailure``.
    package func addClient(name: String, id: String? = nil, settings: ClientSettings = ClientSettings()) async throws -> Client {
        let id = id ?? randomness.token(characters: 32, alphabet: .base62)
        guard Self.isClientID(id) else { throw AdministrationFailure.invalidClientID }
        try Self.checkText(name)
        let client = Client(
            id: id, name: name, settings: settings, signatureKey: try clientKeys.make(for: id), created: clock.now)
        try await store.write { store in
            guard try store.client(id) == nil else { throw AdministrationFailure.clientExists }
            try store.save(client)
        }
        return client
    }

    package func allClients() async throws -> [Client] { try await store.read { try $0.clients() } }

    /// Removes a client and its sessions.
    ///
    /// - Throws: ``AdministrationFailure/unknownClient``.
    package func removeClient(_ id: String) async throws {
        try await store.write { [now = clock.now] store in
            guard try store.removeClient(id, at: now) else { throw AdministrationFailure.unknownClient }
        }
        clients.forget(id)
    }

    /// Changes only the client settings that `change` touches.
    ///
    /// - Throws: ``AdministrationFailure/unknownClient``.
    package func configure(_ id: String, _ change: @Sendable @escaping (inout ClientSettings) -> Void) async throws -> Client {
        try await self.change(id) { change(&$0.settings) }
    }

    /// Lets users of a client log in with WeChat.
    ///
    /// - Parameters:
    ///   - secret: AppSecret; stored sealed.
    ///   - platform: names the open platform account whose clients share users; empty: this application alone.
    /// - Throws: ``AdministrationFailure``; ``KeyFailure``.
    package func setWeChat(
        of id: String, appID: String, secret: String, platform: String = "", registersNewUsers: Bool = true
    ) async throws -> Client {
        guard Self.isClientID(appID), !secret.isEmpty else { throw AdministrationFailure.invalidText }
        try Self.checkText(platform)
        let sealed = try serverKey.seal(
            Array(secret.utf8), as: .sourceSecret(client: id, source: WeChatIdentity.provider), randomness)
        return try await configure(id) {
            $0.wechat = WeChatSource(appID: appID, sealedSecret: sealed, platform: platform, registersNewUsers: registersNewUsers)
        }
    }

    /// Lets users of a client log in with the number that a carrier confirms.
    ///
    /// - Parameter secret: AccessKeySecret; stored sealed.
    package func setOneClick(of id: String, accessKeyID: String, secret: String) async throws -> Client {
        guard Self.isClientID(accessKeyID), !secret.isEmpty else { throw AdministrationFailure.invalidText }
        let sealed = try serverKey.seal(Array(secret.utf8), as: .sourceSecret(client: id, source: OneClickLogin.source), randomness)
        return try await configure(id) { $0.oneClick = OneClickSource(accessKeyID: accessKeyID, sealedSecret: sealed) }
    }

    /// Lets users of a client log in through the simulators in every way, with a second factor for those who have bound a phone.
    package func useSimulators(for id: String) async throws {
        _ = try await setWeChat(of: id, appID: "wx0000000000000000", secret: WeChatSimulator.secret)
        _ = try await setOneClick(of: id, accessKeyID: CarrierSimulator.account, secret: CarrierSimulator.secret)
        _ = try await configure(id) {
            $0.password = true
            $0.secondFactor.demand = .whenBound
        }
    }

    /// Registers the addresses of a web application.
    ///
    /// - Parameter secret: of the token endpoint, random and of at least 32 characters; nil for a public client.
    package func setWeb(of id: String, redirectURIs: [String], logoutRedirectURIs: [String] = [], secret: String?) async throws -> Client {
        guard !redirectURIs.isEmpty, (redirectURIs + logoutRedirectURIs).allSatisfy(RedirectAddress.isAllowed) else {
            throw AdministrationFailure.invalidAddress
        }
        guard secret.map({ $0.utf8.count >= 32 }) ?? true else { throw AdministrationFailure.weakSecret }
        let digest = secret.map { Digest256.of(Array($0.utf8)) }
        return try await configure(id) {
            $0.web = WebApplication(redirectURIs: redirectURIs, logoutRedirectURIs: logoutRedirectURIs, secretDigest: digest)
        }
    }

    /// Gives a client a new key for `X-signature`. The server then refuses requests that are encrypted with the old key.
    package func rotateKey(of id: String) async throws -> Client {
        let key = try clientKeys.make(for: id)
        return try await change(id) { $0.signatureKey = key }
    }

    private func change(_ id: String, _ body: @Sendable @escaping (inout Client) -> Void) async throws -> Client {
        let client = try await store.write { store in
            guard var client = try store.client(id) else { throw AdministrationFailure.unknownClient }
            body(&client)
            try store.save(client)
            return client
        }
        clients.forget(id)
        return client
    }

    private static func isClientID(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)) }
    }

    /// Refuses control characters, line breaks and changes of text direction, which a terminal or a message would not show as text.
    static func checkText(_ texts: String?...) throws {
        for text in texts.compactMap({ $0 }) where text.utf8.count > 256 || text.unicodeScalars.contains(where: isControl) {
            throw AdministrationFailure.invalidText
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isBidiControl
            || [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    // Backup

    /// Writes a consistent copy of the store to the unused path `path` while the server runs.
    ///
    /// - Throws: ``DatabaseFailure``: `exists` if the name is taken.
    package func backUp(to path: String) async throws { try await store.backUp(to: path) }
}

/// Why an administration operation failed.
package enum AdministrationFailure: Error, Hashable, Sendable {
    case invalidClientID
    case clientExists
    case unknownClient
    case userExists
    case unknownUser
    /// The test code is not six digits.
    case invalidTestCode
    /// A name or an address has control characters, or more than 256 bytes.
    case invalidText
    /// A redirect address is not https, nor http on loopback, or has a fragment.
    case invalidAddress
    /// A client's secret has less than 32 characters.
    case weakSecret
    /// Another user has this user name.
    case userNameTaken
    /// Several users have this name.
    case ambiguousUser
    /// A receiver's URL is not https, nor http on loopback.
    case invalidReceiver
    /// A receiver's secret has other characters than a bearer token, or not 16 to 1,024 of them.
    case invalidSecret
    case unknownStream
    /// There are 64 streams already.
    case tooManyStreams
    /// No audit event has had this number yet.
    case unknownAuditNumber
}
