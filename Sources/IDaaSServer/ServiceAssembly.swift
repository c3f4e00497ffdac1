#if IDaaS
internal import Foundation
internal import HTTPGuard
internal import JWTCore
package import Logging
package import Secrets

/// Puts the domain together as a configuration says: for the server, and for the commands that administer it.
package struct ServiceAssembly: Sendable {
    package static let issuerPath = "/api/v1/oauth2"

    let configuration: ServerConfiguration
    let issuer: String
    let clock: any ServerClock
    let randomness: Randomness
    let gateway: (any SMSGateway)?
    let environment: [String: String]
    let logger: Logger

    package init(
        configuration: ServerConfiguration, issuer: String, clock: any ServerClock = SystemClock(), randomness: Randomness = .system,
        gateway: (any SMSGateway)? = nil, environment: [String: String]? = nil,
        logger: Logger = Logger(label: "idaas", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.configuration = configuration
        self.issuer = issuer
        self.clock = clock
        self.randomness = randomness
        self.gateway = gateway
        self.environment = environment ?? ProcessInfo.processInfo.environment
        self.logger = logger
    }

    package func services() throws -> Services {
        Services(
            store: try SQLiteStore(path: configuration.database), clock: clock, randomness: randomness,
            serverKey: try ServerKey.load(configuration, environment: environment, randomness: randomness), issuer: issuer,
            lifetimes: configuration.lifetimes, limits: configuration.limits, areaCodes: try .configured(configuration.areaCodes),
            gateway: try gateway ?? webhook(), signing: configuration.signing.settings,
            isDevelopment: configuration.development, logger: logger)
    }

    private func webhook() throws -> any SMSGateway {
        let sms = configuration.sms
        guard !sms.webhook.isEmpty else { throw ConfigurationError("sms.webhook: has to be set, or development") }
        guard let secret = FileManager.default.contents(atPath: sms.secretFile) else {
            throw ConfigurationError("sms.secretFile: \(sms.secretFile) cannot be read")
        }
        let text = String(decoding: secret, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return try WebhookGateway(
            url: sms.webhook, secret: Array(text.utf8), trustRoots: sms.authorities.isEmpty ? .system : .systemAnd(.file(sms.authorities)),
            allowsPrivateAddresses: sms.allowsPrivateAddresses, clock: clock)
    }
}

extension ServerConfiguration.SigningChoice {
    var settings: SigningSettings {
        var settings = SigningSettings(algorithm: algorithm == "ES256" ? .es256 : .rs256)
        settings.publication = publicationHours * 3_600
        settings.rotationAge = rotationDays * 86_400
        return settings
    }
}
#endif
