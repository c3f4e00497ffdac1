internal import JWTCore

/// The tenants of templates that tokens have named: a bounded number, made at a bounded rate, because a token that names one makes us
/// fetch.
struct TenantIssuers: Sendable {
    private let capacity: Int
    /// By the bytes of their names: to a `String` some of them are the same.
    private var issuers: [[UInt8]: TrustedIssuer] = [:]
    /// When the last tenants were made, within the window.
    private var made: [Duration] = []

    static let madePerWindow = 16
    static let window: Duration = .seconds(10)

    init(capacity: Int) { self.capacity = capacity }

    subscript(issuer: String) -> TrustedIssuer? { issuers[Array(issuer.utf8)] }

    var all: [TrustedIssuer] { Array(issuers.values) }

    /// Adds a tenant if one may be made now. In the place of the least recently used one where there are too many.
    mutating func add(_ issuer: String, now: Duration, _ make: () -> TrustedIssuer) throws(VerificationError) -> TrustedIssuer {
        made.removeAll { now - $0 >= Self.window }
        guard made.count < Self.madePerWindow else { throw .keysUnavailable }
        if issuers.count >= capacity {
            // Those without keys first: most likely nobody's.
            let oldest = issuers.min {
                ($0.value.keys.isReady ? 1 : 0, $0.value.keys.lastUse) < ($1.value.keys.isReady ? 1 : 0, $1.value.keys.lastUse)
            }
            if let oldest { issuers[oldest.key] = nil }
        }
        made.append(now)
        let tenant = make()
        issuers[Array(issuer.utf8)] = tenant
        return tenant
    }
}
