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
    unsafe begin(out, options, refresh) { unsafe assay_keys_new_url($0, url, count, $1) }
}

@c @implementation
public func assay_http_new_issuer(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ issuer: UnsafePointer<CChar>?, _ count: Int,
    _ options: UnsafePointer<assay_http_options>?, _ refresh: UnsafePointer<assay_refresh_options>?
) -> assay_code {
    unsafe begin(out, options, refresh) { unsafe assay_keys_new_issuer($0, issuer, count, $1) }
}

@c @implementation
public func assay_http_keys(_ http: OpaquePointer?) -> OpaquePointer? { unsafe http.map { unsafe $0.thread.keys } }

@c @implementation
public func assay_http_wait(_ http: OpaquePointer?, _ milliseconds: Int64) -> assay_code {
    guard let http = unsafe http, (0...1_000_000_000_000).contains(milliseconds) else { return .invalidArgument }
    let thread = unsafe http.thread
    guard thread.start() else { return .noThread }
    return thread.waitForKeys(milliseconds) ? .ok : .keysUnavailable
}

@c @implementation
public func assay_http_refresh(_ http: OpaquePointer?) -> assay_code {
    guard let http = unsafe http else { return .invalidArgument }
    let thread = unsafe http.thread
    guard thread.start() else { return .noThread }
    return unsafe assay_keys_refresh(thread.keys)
}

@c @implementation
public func assay_http_free(_ http: OpaquePointer?) {
    guard let http = unsafe http else { return }
    unsafe Unmanaged<FetchThread>.fromOpaque(UnsafeRawPointer(http)).takeRetainedValue().stop()
}

/// Makes keys with `makeKeys`, and begins to fetch them.
@unsafe
private func begin(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ options: UnsafePointer<assay_http_options>?,
    _ refresh: UnsafePointer<assay_refresh_options>?,
    _ makeKeys: (UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<assay_refresh_options>) -> assay_code
) -> assay_code {
    guard let out = unsafe out else { return .invalidArgument }
    guard let configuration = unsafe GuardedClient.Configuration(options), let client = try? GuardedClient(configuration),
        var refresh = unsafe assay_refresh_options(copying: refresh)
    else { return .invalidArgument }
    let wait = AnswerWait()
    unsafe FetchThread.attach(wait, to: &refresh)
    var made: OpaquePointer?
    let code = unsafe makeKeys(&made, &refresh)
    guard code == .ok, let keys = unsafe made else {
        unsafe FetchThread.detach(from: refresh)
        return code
    }
    let thread = unsafe FetchThread(keys, client, wait)
    guard thread.start() else { return .noThread }
    unsafe out.pointee = OpaquePointer(Unmanaged.passRetained(thread).toOpaque())
    return .ok
}

extension OpaquePointer {
    /// The object of a pointer, retained.
    @unsafe
    fileprivate var thread: FetchThread { unsafe Unmanaged<FetchThread>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue() }
}

extension assay_refresh_options {
    /// The caller's options, or the preset for NULL. Nil for a structure that is too short, and with functions: they are the library's.
    @unsafe
    fileprivate init?(copying pointer: UnsafePointer<assay_refresh_options>?) {
        guard let pointer = unsafe pointer else {
            unsafe self.init()
            guard unsafe assay_refresh_options_init(&self, MemoryLayout<Self>.size, UInt32(ASSAY_AVAILABILITY_FIRST)) == .ok else {
                return nil
            }
            return
        }
        guard unsafe pointer.pointee.size >= MemoryLayout<Self>.size else { return nil }
        unsafe self = pointer.pointee
        guard unsafe clock == nil, unsafe wake == nil, unsafe release == nil, unsafe context == nil else { return nil }
    }
}
