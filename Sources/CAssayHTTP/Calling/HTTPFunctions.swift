internal import CAssay
public import CAssayInterface
internal import HTTPGuard

// Every function takes pointers that its caller answers for: alive, of the right type, and with their length.

@c @implementation
public func assay_http_version() -> UnsafePointer<CChar>? {
    // SAFETY: a literal ends with NUL; char and UInt8 are layout-compatible.
    unsafe UnsafeRawPointer(("0.1.0" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func assay_http_new_url(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ url: UnsafePointer<CChar>?, _ count: Int,
    _ options: UnsafePointer<assay_http_options>?, _ refresh: UnsafePointer<assay_refresh_options>?
) -> assay_code {
    unsafe begin(out, options, refresh) { unsafe assay_keys_new_url($0, url, count, refresh) }
}

@c @implementation
public func assay_http_new_issuer(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ issuer: UnsafePointer<CChar>?, _ count: Int,
    _ options: UnsafePointer<assay_http_options>?, _ refresh: UnsafePointer<assay_refresh_options>?
) -> assay_code {
    unsafe begin(out, options, refresh) { unsafe assay_keys_new_issuer($0, issuer, count, refresh) }
}

@c @implementation
public func assay_http_new_gateway(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ gateway: OpaquePointer?, _ options: UnsafePointer<assay_http_options>?
) -> assay_code {
    guard let out = unsafe out, let gateway = unsafe gateway, let client = unsafe GuardedClient(options) else { return .invalidArgument }
    return unsafe begin(out, gateway.object(as: HostedGateway.self), client)
}

@c @implementation
public func assay_http_keys(_ http: OpaquePointer?) -> OpaquePointer? {
    guard let keys = unsafe http?.object(as: FetchThread.self).source as? Keys else { return nil }
    return unsafe OpaquePointer(Unmanaged.passUnretained(keys).toOpaque())
}

@c @implementation
public func assay_http_wait(_ http: OpaquePointer?, _ milliseconds: Int64) -> assay_code {
    guard let http = unsafe http, (0...1_000_000_000_000).contains(milliseconds) else { return .invalidArgument }
    let thread = unsafe http.object(as: FetchThread.self)
    guard thread.start() else { return .noThread }
    return thread.waitForKeys(milliseconds) ? .ok : .keysUnavailable
}

@c @implementation
public func assay_http_refresh(_ http: OpaquePointer?) -> assay_code {
    guard let http = unsafe http else { return .invalidArgument }
    let thread = unsafe http.object(as: FetchThread.self)
    guard thread.start() else { return .noThread }
    thread.source.refresh()
    return .ok
}

@c @implementation
public func assay_http_free(_ http: OpaquePointer?) {
    guard let http = unsafe http else { return }
    unsafe http.object(as: FetchThread.self).stop()
    unsafe http.release(as: FetchThread.self)
}

/// Makes keys with `makeKeys`, and begins to fetch them.
@unsafe
private func begin(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ options: UnsafePointer<assay_http_options>?,
    _ refresh: UnsafePointer<assay_refresh_options>?, _ makeKeys: (UnsafeMutablePointer<OpaquePointer?>) -> assay_code
) -> assay_code {
    guard let out = unsafe out, let client = unsafe GuardedClient(options), unsafe !assay_refresh_options.hasFunctions(refresh) else {
        return .invalidArgument
    }
    var made: OpaquePointer?
    let code = unsafe makeKeys(&made)
    guard code == .ok, let keys = unsafe made else { return code }
    defer { unsafe keys.release(as: Keys.self) }
    return unsafe begin(out, keys.object(as: Keys.self), client)
}

@unsafe
private func begin(_ out: UnsafeMutablePointer<OpaquePointer?>, _ source: any FetchSource, _ client: GuardedClient) -> assay_code {
    let thread = FetchThread(source, client)
    guard thread.start() else { return .noThread }
    unsafe out.pointee = OpaquePointer(owning: thread)
    return .ok
}

extension GuardedClient {
    /// Nil for options that cannot be used.
    @unsafe
    init?(_ options: UnsafePointer<assay_http_options>?) {
        guard let configuration = unsafe Configuration(options) else { return nil }
        guard let client = try? GuardedClient(configuration) else { return nil }
        self = client
    }
}

extension assay_refresh_options {
    /// Whether a caller has set functions, which are the library's. False for a structure that is too short to have any.
    @unsafe
    fileprivate static func hasFunctions(_ options: UnsafePointer<Self>?) -> Bool {
        guard let options = unsafe options, unsafe options.pointee.size >= MemoryLayout<Self>.size else { return false }
        let copy = unsafe options.pointee
        return unsafe copy.clock != nil || copy.wake != nil || copy.release != nil || copy.context != nil
    }
}
