internal import HTTPEdge
package import IDaaSWire
package import Logging
package import Secrets

/// What the services of the domain share: the store, the clock, the secrets, the settings and the ways to the outside.
package struct ServiceEnvironment: Sendable {
    package var store: any Store
    package let clock: any ServerClock
    package var randomness = Randomness.system
    package let serverKey: ServerKey
    /// `iss`, an absolute URL.
    package let issuer: String
    package var lifetimes = Lifetimes()
    package var limits = LimitSettings()
    package var areaCodes = AreaCodeList.standard
    package var signing = SigningSettings()
    package var statusLists = StatusListPolicy()
    package var resources = ResourcePolicy()
    /// Where the documents of clients are fetched. Without it every fetch fails.
    package var clientDocuments: any ClientDocuments = AbsentUpstream()
    /// Whether test numbers have their fixed codes.
    package var isDevelopment = false
    /// Hides SMS codes in the store.
    package var codeHash: any KeyedHash
    package var gateway: any SMSGateway
    /// Takes the messages that must not be delivered; nil drops them at the gateway's pace.
    package var sink: (any SMSGateway)?
    /// The other providers. Without them every call fails.
    package var wechat: any WeChatAuthorization = AbsentUpstream()
    package var carrierNumbers: any CarrierNumbers = AbsentUpstream()
    package var signals = SignalPolicy()
    /// Where signals are pushed to. Without it every try fails.
    package var signalReceiver: any SignalReceiver = AbsentUpstream()
    package var signalMetrics = SignalMetrics(TextMetrics())
    /// How long audit events stay in the store; nil: this server deletes none.
    package var auditMemory: Duration?
    package var passwordWork = PasswordWork()
    /// Of new passwords, and of the comparison for a name that no administrator has.
    package var passwordCost = Scrypt.password
    package var keyGeneration = KeyGeneration.libcrypto
    package var drawSlider: @Sendable (Randomness) throws -> SliderPicture = { try SliderPicture.draw(randomness: $0) }
    /// Gets details that callers do not get, for example why a message was not sent.
    package var logger = Logger(label: "idaas", factory: { _ in SwiftLogNoOpLogHandler() })

    package init(store: any Store, clock: any ServerClock, serverKey: ServerKey, issuer: String, gateway: any SMSGateway) {
        self.store = store
        self.clock = clock
        self.serverKey = serverKey
        self.issuer = issuer
        self.gateway = gateway
        codeHash = serverKey.codes
    }
}

/// An environment that services hold together. Each would otherwise copy twenty values, and the code for that is large.
@dynamicMemberLookup
package final class SharedEnvironment: Sendable {
    package let value: ServiceEnvironment

    package init(_ value: ServiceEnvironment) { self.value = value }

    package subscript<Value>(dynamicMember member: KeyPath<ServiceEnvironment, Value>) -> Value { value[keyPath: member] }
}

/// A part of the domain.
package protocol DomainService: Sendable {
    var environment: SharedEnvironment { get }
}

extension DomainService {
    package var store: any Store { environment.store }
    package var clock: any ServerClock { environment.clock }
    package var areaCodes: AreaCodeList { environment.areaCodes }
    var randomness: Randomness { environment.randomness }
    var serverKey: ServerKey { environment.serverKey }
    var lifetimes: Lifetimes { environment.lifetimes }
    var limits: LimitSettings { environment.limits }
}
