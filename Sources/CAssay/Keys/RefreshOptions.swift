public import CAssayInterface
internal import JWKSCache

@c @implementation
public func assay_refresh_options_init(_ out: UnsafeMutablePointer<assay_refresh_options>?, _ size: Int, _ preset: UInt32) -> assay_code {
    guard let out = unsafe out, unsafe size >= MemoryLayout<assay_refresh_options>.size else { return .invalidArgument }
    let policy: RefreshPolicy
    switch Int(preset) {
    case ASSAY_AVAILABILITY_FIRST: policy = .availabilityFirst
    case ASSAY_REVOCATION_FIRST: policy = .revocationFirst
    default: return .invalidArgument
    }
    unsafe out.pointee = assay_refresh_options(policy)
    return .ok
}

extension assay_refresh_options {
    fileprivate init(_ policy: RefreshPolicy) {
        unsafe self.init()
        unsafe size = MemoryLayout<Self>.size
        unsafe default_lifetime = policy.defaultLifetime.milliseconds
        unsafe shortest_lifetime = policy.lifetimeBounds.lowerBound.milliseconds
        unsafe longest_lifetime = policy.lifetimeBounds.upperBound.milliseconds
        unsafe stale_if_error = policy.staleIfError.milliseconds
        unsafe attempt_limit = policy.attemptLimit.milliseconds
    }

    /// The policy of these options; nil if a number is out of range.
    var policy: RefreshPolicy? {
        let lengths = unsafe [default_lifetime, shortest_lifetime, longest_lifetime, stale_if_error, attempt_limit]
        guard lengths.allSatisfy({ (0...1_000_000_000_000).contains($0) }), unsafe shortest_lifetime <= longest_lifetime,
            unsafe attempt_limit > 0
        else { return nil }
        var policy = RefreshPolicy()
        policy.defaultLifetime = unsafe .milliseconds(default_lifetime)
        policy.lifetimeBounds = unsafe .milliseconds(shortest_lifetime)...(.milliseconds(longest_lifetime))
        policy.staleIfError = unsafe .milliseconds(stale_if_error)
        policy.attemptLimit = unsafe .milliseconds(attempt_limit)
        return policy
    }
}

extension Duration {
    /// Whole milliseconds, clamped to 64 bits.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < Int64.max / 1_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
