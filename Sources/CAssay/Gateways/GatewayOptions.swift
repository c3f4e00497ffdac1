internal import CAssayInterface
internal import JWTCore

/// What the host gives for a gateway beside its settings.
struct GatewayOptions {
    var folder = "."
    var cache: VerifiedTokenCache?
    var host = Host()
    /// Zero: random.
    var seed: UInt64 = 0
    /// The gateways whose keys may be used.
    var sharing: [HostedGateway] = []
    /// The memory of uses; nil: the gateway makes one if its settings need one.
    var replays: HostedReplays?

    init() {}

    /// Nil for a structure that is too short, for a text that is not UTF-8, and for a number out of range.
    @unsafe
    init?(_ pointer: UnsafePointer<assay_gateway_options>) {
        // Before other members are read, the first one says which are there.
        guard let known = unsafe Self.knownBytes(pointer.pointee.size) else { return nil }
        var options = unsafe assay_gateway_options()
        // SAFETY: the caller has `known` bytes, which are at most those of the structure.
        unsafe withUnsafeMutableBytes(of: &options) { unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: known)) }
        guard let folder = unsafe CallerText(options.folder)?.string, unsafe options.reserved == 0,
            let cache = unsafe CacheOptions(bytes: options.cache_bytes, seconds: options.cache_seconds, digests: options.cache_digests)
        else { return nil }
        if !folder.isEmpty { self.folder = folder }
        self.cache = cache.cache
        host = unsafe Host(clock: options.clock, wake: options.wake, release: options.release, context: options.context)
        seed = unsafe options.seed
        guard let sharing = unsafe Self.gateways(options.sharing, options.sharing_count) else { return nil }
        self.sharing = sharing
        replays = unsafe options.replay_memory.map { unsafe $0.object(as: HostedReplays.self) }
    }

    /// The bytes that may be read of a structure of this size. The memory of uses came later than the others.
    private static func knownBytes(_ size: Int) -> Int? {
        let whole = unsafe MemoryLayout<assay_gateway_options>.size, withoutReplays = unsafe whole - MemoryLayout<OpaquePointer?>.size
        return size >= whole ? whole : size == withoutReplays ? withoutReplays : nil
    }

    private static let mostGateways = 1_024

    @unsafe
    private static func gateways(_ start: UnsafePointer<OpaquePointer?>?, _ count: Int) -> [HostedGateway]? {
        guard count > 0 else { return count == 0 ? [] : nil }
        guard let start = unsafe start, count <= mostGateways else { return nil }
        var gateways: [HostedGateway] = []
        for place in 0..<count {
            guard let gateway = unsafe start[place] else { return nil }
            gateways.append(unsafe gateway.object(as: HostedGateway.self))
        }
        return gateways
    }
}
