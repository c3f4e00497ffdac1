public import CAssayInterface
internal import HTTPGuard

@c @implementation
public func assay_http_options_init(_ out: UnsafeMutablePointer<assay_http_options>?, _ size: Int) -> assay_code {
    guard let out = unsafe out, unsafe size >= MemoryLayout<assay_http_options>.size else { return .invalidArgument }
    let limits = RequestLimits()
    var options = unsafe assay_http_options()
    unsafe options.size = MemoryLayout<assay_http_options>.size
    unsafe options.request_limit = limits.total.milliseconds
    unsafe options.connect_limit = limits.connect.milliseconds
    unsafe out.pointee = options
    return .ok
}

extension GuardedClient.Configuration {
    /// The settings of a caller, or the defaults for NULL. Nil for a structure that is too short, for a number out of range, and for a text
    /// or a pin that cannot be read.
    @unsafe
    init?(_ pointer: UnsafePointer<assay_http_options>?) {
        self.init()
        guard let pointer = unsafe pointer else { return }
        // Before all members are read, the first one says whether they are there.
        guard unsafe pointer.pointee.size >= MemoryLayout<assay_http_options>.size else { return nil }
        let options = unsafe pointer.pointee
        let times: ClosedRange<Int64> = 1...1_000_000
        guard unsafe times.contains(options.request_limit), unsafe times.contains(options.connect_limit), unsafe options.reserved == 0,
            let permitted = unsafe Self(addresses: options.addresses), let trustRoots = unsafe Self.trustRoots(options),
            let userAgent = unsafe options.user_agent.string, let pins = unsafe Self.pins(options)
        else { return nil }
        limits.total = unsafe .milliseconds(options.request_limit)
        limits.connect = unsafe .milliseconds(options.connect_limit)
        (addresses, allowsLoopbackHTTP) = (permitted.addresses, permitted.allowsLoopbackHTTP)
        self.trustRoots = trustRoots
        self.pins = pins
        if !userAgent.isEmpty { self.userAgent = userAgent }
        guard unsafe setCertificate(options), unsafe setProxy(options) else { return nil }
    }

    /// The defaults with these addresses, as `ASSAY_HTTP_…` say them. Nil for a bit without a meaning.
    init?(addresses bits: UInt32) {
        let bits = Int(bits), known = ASSAY_HTTP_LOOPBACK | ASSAY_HTTP_PRIVATE | ASSAY_HTTP_LINK_LOCAL | ASSAY_HTTP_PLAIN_LOOPBACK
        guard bits & ~known == 0 else { return nil }
        self.init(
            addresses: AddressPolicy(
                allowsLoopback: bits & ASSAY_HTTP_LOOPBACK != 0, allowsPrivate: bits & ASSAY_HTTP_PRIVATE != 0,
                allowsLinkLocal: bits & ASSAY_HTTP_LINK_LOCAL != 0),
            allowsLoopbackHTTP: bits & ASSAY_HTTP_PLAIN_LOOPBACK != 0)
    }

    @unsafe
    private static func trustRoots(_ options: assay_http_options) -> TrustRoots? {
        guard let roots = unsafe options.roots.array else { return nil }
        switch unsafe (roots.isEmpty, options.roots_only) {
        case (true, 0): return .system
        case (false, 0): return .systemAnd(.bytes(roots))
        case (false, 1): return .only(.bytes(roots))
        default: return nil
        }
    }

    @unsafe
    private static func pins(_ options: assay_http_options) -> Set<PublicKeyPin>? {
        let count = unsafe options.pin_count
        guard (0...64).contains(count), unsafe count == 0 || options.pins != nil else { return nil }
        var pins: Set<PublicKeyPin> = []
        for index in 0..<count {
            guard let text = unsafe options.pins[index].string, let pin = try? PublicKeyPin(text) else { return nil }
            pins.insert(pin)
        }
        return pins
    }

    /// False for half a certificate.
    @unsafe
    private mutating func setCertificate(_ options: assay_http_options) -> Bool {
        guard let chain = unsafe options.certificate.array, let key = unsafe options.private_key.array, chain.isEmpty == key.isEmpty else {
            return false
        }
        if !chain.isEmpty { clientCertificate = ClientCertificate(chain: .bytes(chain), key: .bytes(key)) }
        return true
    }

    /// False for a proxy without a port, and for a port or a password without what it belongs to.
    @unsafe
    private mutating func setProxy(_ options: assay_http_options) -> Bool {
        guard let host = unsafe options.proxy_host.string, let user = unsafe options.proxy_user.string,
            let password = unsafe options.proxy_password.string, let port = unsafe UInt16(exactly: options.proxy_port),
            host.isEmpty == (port == 0), !host.isEmpty || user.isEmpty, !user.isEmpty || password.isEmpty
        else { return false }
        guard !host.isEmpty else { return true }
        let credentials = user.isEmpty ? nil : Proxy.Credentials(user: user, password: password)
        proxy = Proxy(host: host, port: port, credentials: credentials)
        return true
    }
}

extension Duration {
    /// Whole milliseconds of a duration that is known to be short.
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
