internal import JWTCore
internal import Locks

/// The tenants of templates that tokens have named. Their number and the rate of new ones are limited, because a token that names one causes
/// a fetch.
final class TenantIssuers: Sendable {
    let templates: [IssuerTemplate]
    private let capacity: Int
    private let surroundings: TrustedIssuer.Surroundings
    private let state = Locked(State())

    private struct State {
        /// By the bytes of their names: `String` treats some different names as equal.
        var issuers: [[UInt8]: TrustedIssuer] = [:]
        /// The times at which tenants were made, within the window.
        var made: [Duration] = []
    }

    private static let madePerWindow = 16
    private static let window: Duration = .seconds(10)

    init(_ templates: [IssuerTemplate], capacity: Int, _ surroundings: TrustedIssuer.Surroundings) {
        self.templates = templates
        self.capacity = capacity
        self.surroundings = surroundings
    }

    /// The known tenant called `issuer`.
    subscript(issuer: String) -> TrustedIssuer? { state.withLock { $0.issuers[Array(issuer.utf8)] } }

    var all: [TrustedIssuer] { state.withLock { Array($0.issuers.values) } }

    /// The tenant called `issuer`: a known one, or a new one if a template matches.
    ///
    /// - Throws: `issuer_mismatch`, or `keys_unavailable` if too many are new.
    func tenant(_ issuer: String) throws(VerificationError) -> TrustedIssuer {
        if let known = self[issuer] { return known }
        guard let configuration = templates.lazy.compactMap({ $0.configuration(of: issuer) }).first else {
            throw VerificationError(.issuerMismatch, claim: .issuer)
        }
        let now = surroundings.clock.elapsed
        guard let tenant = state.withLock({ $0.issuers[Array(issuer.utf8)] ?? add(configuration, now, &$0) }) else {
            throw .keysUnavailable
        }
        return tenant
    }

    /// Adds a tenant if one may be made now. If there are too many, it replaces the least recently used one.
    private func add(_ configuration: IssuerConfiguration, _ now: Duration, _ state: inout State) -> TrustedIssuer? {
        state.made.removeAll { now - $0 >= Self.window }
        guard state.made.count < Self.madePerWindow else { return nil }
        if state.issuers.count >= capacity {
            // Those without keys first: they most likely do not exist.
            let oldest = state.issuers.min {
                ($0.value.keys.isReady ? 1 : 0, $0.value.keys.lastUse) < ($1.value.keys.isReady ? 1 : 0, $1.value.keys.lastUse)
            }
            if let oldest { state.issuers[oldest.key] = nil }
        }
        state.made.append(now)
        let tenant = TrustedIssuer(configuration, surroundings)
        state.issuers[Array(configuration.issuer.utf8)] = tenant
        return tenant
    }
}
