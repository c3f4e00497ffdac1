internal import CCurl
internal import JWKSCache

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension RequestFailure {
    /// - Parameters:
    ///   - end: how the transfer ended.
    ///   - number: its detail, as CCurl has it.
    ///   - isEstablished: whether the request may have been sent.
    ///   - address: that was to be dialled.
    init(_ end: ccurl_end, _ number: Int, _ url: TargetURL, isEstablished: Bool, _ address: IPAddress) {
        switch end {
        case CCURL_NO_MEMORY: self.init(.connection, "no memory for a request to \(url.origin)")
        case CCURL_NO_CONNECTION: self.init(.connection, "\(url.origin): \(Self.sentence(systemError: CInt(number)))")
        case CCURL_OTHER_ADDRESS: self.init(.forbiddenAddress, "\(url.origin) was to be \(address) and is another")
        case CCURL_TIMED_OUT where isEstablished: self.init(.timedOut, "no answer of \(url) in time")
        case CCURL_TIMED_OUT: self.init(.timedOut, "no connection to \(url.origin) in time")
        case CCURL_NO_TUNNEL where number == 407: self.init(.proxy, "the proxy wants other credentials")
        case CCURL_NO_TUNNEL: self.init(.proxy, "the proxy opens no tunnel to \(url.origin)")
        case CCURL_NO_TRUST: self.init(.tls, "\(url.origin): \(unsafe String(cString: ccurl_trust_error(number)))")
        case CCURL_OTHER_HOST: self.init(.tls, "the certificate is not for \(url.origin.host)")
        case CCURL_ALERT: self.init(.tls, "\(url.origin): \(unsafe String(cString: ccurl_alert_name(number)))")
        case CCURL_NO_HANDSHAKE:
            self.init(.tls, "\(url.origin) broke off the handshake; TLS 1.2 or later is required")
            brokeOffHandshake = true
        case CCURL_CUT_OFF: self.init(.connection, "\(url.origin) ended before its answer did")
        case CCURL_LARGE_HEAD: self.init(.tooLarge, "\(url) has a header larger than the limit")
        default: self.init(.malformed, "\(url) answers with something else than HTTP")
        }
    }

    /// Whether another address of the same name may succeed.
    var isOfTheAddress: Bool { reason == .connection || reason == .timedOut || brokeOffHandshake }

    private static func sentence(systemError number: CInt) -> String {
        switch number {
        case ECONNREFUSED: "connection refused"
        case ECONNRESET, EPIPE: "connection reset"
        case EHOSTUNREACH, ENETUNREACH: "no route to the host"
        case 0: "no connection"
        default: "error \(number) of the system"
        }
    }
}
