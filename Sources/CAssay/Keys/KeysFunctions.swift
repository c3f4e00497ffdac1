public import CAssayInterface
internal import Gateway
internal import JWKSCache
internal import JWTCore

@c @implementation
public func assay_keys_new(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ document: UnsafePointer<CChar>?, _ count: Int) -> assay_code {
    guard let document = unsafe CallerText(document, count) else { return .invalidArgument }
    return unsafe assign(out) { () throws(InterfaceFailure) in
        do throws(VerificationError) {
            return Keys(.fixed(try KeySet(document: document.array)))
        } catch {
            throw InterfaceFailure(error)
        }
    }
}

@c @implementation
public func assay_keys_new_url(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ url: UnsafePointer<CChar>?, _ count: Int,
    _ options: UnsafePointer<assay_refresh_options>?
) -> assay_code {
    guard let url = unsafe CallerText(url, count)?.string, HostedURL.isAcceptable(url) else { return .invalidArgument }
    return unsafe hostedKeys(out, .jwks(url: url), options)
}

@c @implementation
public func assay_keys_new_issuer(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ issuer: UnsafePointer<CChar>?, _ count: Int,
    _ options: UnsafePointer<assay_refresh_options>?
) -> assay_code {
    guard let issuer = unsafe CallerText(issuer, count)?.string, let addresses = IssuerMetadata.addresses(of: issuer),
        addresses.allSatisfy(HostedURL.isAcceptable)
    else { return .invalidArgument }
    return unsafe hostedKeys(out, .issuer(issuer), options)
}

@unsafe
private func hostedKeys(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ source: KeySetSource, _ options: UnsafePointer<assay_refresh_options>?
) -> assay_code {
    guard let options = unsafe options else {
        return unsafe assign(out) {
            Keys(.hosted(HostedKeySet([source], policy: .availabilityFirst, host: SharedHost(Host()))))
        }
    }
    // Before all members are read, the first one says whether they are there.
    guard unsafe options.pointee.size >= MemoryLayout<assay_refresh_options>.size, let policy = unsafe options.pointee.policy else {
        return .invalidArgument
    }
    let host = unsafe Host(options.pointee), seed = unsafe options.pointee.seed
    return unsafe assign(out) {
        Keys(.hosted(HostedKeySet([source], policy: policy, host: SharedHost(host), seed: seed == 0 ? .random(in: 0 ... .max) : seed)))
    }
}

@c @implementation
public func assay_keys_prepare(_ keys: OpaquePointer?) { unsafe keys?.lend(as: Keys.self) { $0.current?.prepare() } }

@c @implementation
public func assay_keys_free(_ keys: OpaquePointer?) { unsafe keys?.release(as: Keys.self) }

@c @implementation
public func assay_keys_status(_ out: UnsafeMutablePointer<assay_keys_state>?, _ keys: OpaquePointer?) -> assay_code {
    guard let keys = unsafe keys else { return .invalidArgument }
    return unsafe assay_keys_state.write(to: out) { unsafe keys.lend(as: Keys.self) { unsafe assay_keys_state($0.current, $0.hosted) } }
}

@c @implementation
public func assay_gateway_keys_status(
    _ out: UnsafeMutablePointer<assay_keys_state>?, _ gateway: OpaquePointer?, _ issuer: UnsafePointer<CChar>?, _ count: Int
) -> assay_code {
    guard let gateway = unsafe gateway, let issuer = unsafe CallerText(issuer, count) else { return .invalidArgument }
    guard let keys = unsafe gateway.object(as: HostedGateway.self).keys(of: issuer.array) else { return .noValue }
    return unsafe assay_keys_state.write(to: out) { unsafe assay_keys_state(keys.current, keys.hosted) }
}

extension assay_keys_state {
    fileprivate static func write(to out: UnsafeMutablePointer<Self>?, _ state: () -> Self) -> assay_code {
        guard let out = unsafe out, unsafe out.pointee.size >= MemoryLayout<Self>.size else { return .invalidArgument }
        let size = unsafe out.pointee.size
        unsafe out.pointee = state()
        unsafe out.pointee.size = size
        return .ok
    }

    /// - Parameter hosted: nil for fixed keys.
    fileprivate init(_ current: KeySet?, _ hosted: HostedKeySet?) {
        unsafe self.init()
        unsafe age = -1
        unsafe key_count = UInt64(current?.keys.count { $0.unusableReason == nil } ?? 0)
        unsafe health = UInt32(ASSAY_HEALTH_FIXED)
        hosted?.status { core, isPending, now in unsafe note(core, isPending, now) }
    }

    private mutating func note(_ core: KeySetCore, _ isPending: Bool, _ now: Duration) {
        let state = core.state
        unsafe health = UInt32(Self.health(state, now))
        unsafe is_fetching = state.flight != nil || isPending ? 1 : 0
        unsafe generation = state.generation
        unsafe failures = UInt64(state.failures)
        unsafe shed_fetches = state.probes.shed
        unsafe clock_skew = core.skew.estimate?.milliseconds ?? 0
        unsafe last_failure = core.lastFailure?.staticCode.cString
        guard let freshness = state.freshness, state.hasKeys(now) else { return unsafe key_count = 0 }
        unsafe age = (now - freshness.confirmedAt).milliseconds
        unsafe fresh_for = (freshness.expiresAt - now).milliseconds
        unsafe used_for = (freshness.endsAt - now).milliseconds
    }

    private static func health(_ state: RefreshState, _ now: Duration) -> Int {
        guard let freshness = state.freshness, state.hasKeys(now) else { return ASSAY_HEALTH_UNAVAILABLE }
        return now < freshness.expiresAt ? ASSAY_HEALTH_FRESH : ASSAY_HEALTH_STALE
    }
}
