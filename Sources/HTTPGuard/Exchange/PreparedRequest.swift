internal import CCurl
internal import JWKSCache

/// A request in the form that CCurl takes, with the texts that it points to.
@safe
final class PreparedRequest {
    // SAFETY: points into `copies`, which are allocated here and freed in deinit, and to `trust`, which is held.
    var value = unsafe ccurl_request()
    private var copies: [UnsafeMutableRawPointer] = unsafe []
    private let trust: Trust

    init(
        _ request: OutgoingRequest, to address: IPAddress, for target: TargetURL, proxy: Proxy?, _ limits: RequestLimits, _ trust: Trust
    ) {
        self.trust = trust
        unsafe value.trust = trust.pointer
        unsafe value.method = text(request.method)
        unsafe value.url = text(target.text)
        unsafe value.host = text(target.origin.host)
        unsafe value.is_address = target.literal != nil
        unsafe value.is_secure = target.origin.isSecure
        unsafe value.address = copy(address.bytes)
        unsafe value.address_count = address.bytes.count
        unsafe value.address_text = text(address.urlHost)
        unsafe value.port = proxy?.port ?? target.origin.port
        unsafe value.has_proxy = proxy != nil
        unsafe value.proxy_user = proxy?.credentials.map { unsafe text($0.user) } ?? nil
        unsafe value.proxy_password = proxy?.credentials.map { unsafe text($0.password) } ?? nil
        unsafe value.body = copy(request.body)
        unsafe value.body_count = request.body.count
        unsafe value.has_body = !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method)
        unsafe value.total_milliseconds = limits.total.wholeMilliseconds
        unsafe value.connect_milliseconds = limits.connect.wholeMilliseconds
    }

    deinit {
        while let last = unsafe copies.popLast() { unsafe last.deallocate() }
    }

    @unsafe
    private func text(_ text: String) -> UnsafePointer<CChar>? {
        // SAFETY: char and UInt8 are layout-compatible.
        unsafe UnsafeRawPointer(copy(Array(text.utf8) + [0])).assumingMemoryBound(to: CChar.self)
    }

    @unsafe
    private func copy(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe copies.append(copy)
        return unsafe UnsafePointer(copy.assumingMemoryBound(to: UInt8.self))
    }
}

extension Duration {
    /// At least one, because zero would be no limit for libcurl.
    fileprivate var wholeMilliseconds: Int64 {
        let parts = components
        return max(1, min(parts.seconds, 1_000_000) * 1_000 + parts.attoseconds / 1_000_000_000_000_000)
    }
}
