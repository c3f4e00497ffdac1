internal import JWTCore

/// The cache of verified tokens as the options of a verifier and of a gateway describe it.
struct CacheOptions {
    private let bytes: UInt64
    private let seconds: UInt64
    private let digests: UInt32

    /// Nil for a number out of range, and for settings of a cache without one.
    init?(bytes: UInt64, seconds: UInt64, digests: UInt32) {
        guard bytes <= 1 << 32, seconds <= 1 << 40, digests <= 1, bytes > 0 || (seconds == 0 && digests == 0) else { return nil }
        self.bytes = bytes
        self.seconds = seconds
        self.digests = digests
    }

    /// A new cache, if there is to be one.
    var cache: VerifiedTokenCache? {
        guard bytes > 0 else { return nil }
        return VerifiedTokenCache(
            budget: Int(bytes), retention: digests == 1 ? .digests : .tokens, maximumAge: .seconds(seconds == 0 ? 300 : Int64(seconds)))
    }
}
