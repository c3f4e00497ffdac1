internal import Foundation
internal import HTTPGuard
internal import JWTCore
package import Logging
package import Secrets

extension ServiceEnvironment {
    /// The environment that a configuration describes, for the server and for the administration commands.
    ///
    /// - Parameters:
    ///   - opening: whether to create a missing database, and in development the server's key with it.
    ///   - gateway: receives the messages instead of the configured webhook.
    ///   - simulators: the origin of the simulators; nil: the configured providers.
    ///   - environment: for `ASSAY_IDAAS_KEY`; nil means the environment of the process.
    /// - Throws: ``ConfigurationError``; the error of the store if it cannot be opened.
    package init(
        configuration: ServerConfiguration, issuer: String, opening: StoreOpening = .makingIfMissing,
        clock: any ServerClock = SystemServerClock(), randomness: Randomness = .system, gateway: (any SMSGateway)? = nil,
        simulators: String? = nil, environment: [String: String]? = nil, logger: Logger? = nil
    ) throws {
        self.init(
            store: try configuration.store(opening), clock: clock,
            serverKey: try ServerKey.load(
                configuration, environment: environment ?? ProcessInfo.processInfo.environment, randomness: randomness,
                makesMissing: opening == .makingIfMissing),
            issuer: issuer, gateway: try gateway ?? configuration.sms.gateway(clock))
        self.randomness = randomness
        lifetimes = configuration.lifetimes
        limits = configuration.limits
        areaCodes = try .configured(configuration.areaCodes)
        signing = configuration.signing.settings
        statusLists = configuration.statusLists.policy
        resources = configuration.oauth.policy
        clientDocuments = FetchedDocuments(client: try configuration.oauth.client())
        signals.maximumAge = max(.seconds(configuration.signals.maximumAgeSeconds), lifetimes.idToken)
        signalReceiver = SignalPush(client: try configuration.signals.client())
        auditMemory = configuration.audit.database ? .seconds(configuration.audit.databaseDays * 86_400) : nil
        isDevelopment = configuration.development
        if let logger { self.logger = logger }
        let upstreams = configuration.upstreams
        let client = try upstreams.client(isSimulated: simulators != nil)
        wechat = WeChatClient(base: simulators.map { $0 + SimulatorEndpoints.wechatBase } ?? upstreams.wechat, client: client)
        carrierNumbers = DypnsapiClient(
            endpoint: simulators.map { $0 + SimulatorEndpoints.dypnsapi } ?? upstreams.dypnsapi, client: client, clock: clock,
            randomness: randomness)
    }
}

extension ServerConfiguration.SMSSettings {
    fileprivate func gateway(_ clock: any ServerClock) throws -> WebhookGateway {
        guard !webhook.isEmpty else { throw ConfigurationError("sms.webhook: has to be set, or development") }
        let text = try SecretFile.text(at: secretFile, setting: "sms.secretFile")
        return try WebhookGateway(
            url: webhook, secret: Array(text.utf8), trustRoots: authorities.isEmpty ? .system : .systemAnd(.file(authorities)),
            allowsPrivateAddresses: allowsPrivateAddresses, clock: clock)
    }
}

extension ServerConfiguration.UpstreamSettings {
    /// The client of all other providers.
    fileprivate func client(isSimulated: Bool) throws -> GuardedClient {
        var client = GuardedClient.Configuration()
        // The simulators are part of this process: on a busy machine they are slow together.
        let seconds = isSimulated ? (total: 60, connect: 60) : (total: 5, connect: 2)
        client.limits = RequestLimits(
            total: .seconds(seconds.total), connect: .seconds(seconds.connect), bodyBytes: 65_536, redirects: 0)
        client.trustRoots = authorities.isEmpty ? .system : .systemAnd(.file(authorities))
        client.allowsLoopbackHTTP = true
        client.addresses.allowsLoopback = allowsPrivateAddresses || isSimulated
        client.addresses.allowsPrivate = allowsPrivateAddresses
        do {
            return try GuardedClient(client)
        } catch {
            throw ConfigurationError("upstreams: \(error)")
        }
    }
}

extension ServerConfiguration.SignalSettings {
    fileprivate func client() throws -> GuardedClient {
        var client = GuardedClient.Configuration()
        client.limits = RequestLimits(total: .seconds(5), connect: .seconds(2), bodyBytes: 16_384, redirects: 0)
        client.trustRoots = authorities.isEmpty ? .system : .systemAnd(.file(authorities))
        client.allowsLoopbackHTTP = true
        client.addresses.allowsLoopback = allowsPrivateAddresses
        client.addresses.allowsPrivate = allowsPrivateAddresses
        do {
            return try GuardedClient(client)
        } catch {
            throw ConfigurationError("signals: \(error)")
        }
    }
}

extension ServerConfiguration.SigningChoice {
    fileprivate var settings: SigningSettings {
        var settings = SigningSettings(algorithm: algorithm == "ES256" ? .es256 : .rs256)
        settings.publication = .seconds(publicationHours * 3_600)
        settings.rotationAge = .seconds(rotationDays * 86_400)
        return settings
    }
}

extension ServerConfiguration.StatusListChoice {
    fileprivate var policy: StatusListPolicy {
        var policy = StatusListPolicy()
        policy.isEnabled = enabled
        policy.timeToLive = .seconds(ttlSeconds)
        policy.validity = .seconds(expirySeconds)
        return policy
    }
}

extension ServerConfiguration.OAuthChoice {
    fileprivate var policy: ResourcePolicy {
        var policy = ResourcePolicy()
        policy.resources = resources
        policy.allowsRegistration = registration
        policy.allowsDocuments = clientDocuments
        policy.loginsOf = loginsOf
        policy.maximumClients = maximumClients
        policy.unusedLifetime = .seconds(unusedDays * 86_400)
        policy.idleLifetime = .seconds(idleDays * 86_400)
        return policy
    }

    fileprivate func client() throws -> GuardedClient {
        var client = GuardedClient.Configuration()
        client.limits = FetchedDocuments.limits
        client.trustRoots = authorities.isEmpty ? .system : .systemAnd(.file(authorities))
        client.addresses.allowsLoopback = allowsPrivateAddresses
        client.addresses.allowsPrivate = allowsPrivateAddresses
        do {
            return try GuardedClient(client)
        } catch {
            throw ConfigurationError("oauth: \(error)")
        }
    }
}
