#if HTTP
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension RequestFailure {
    /// Classifies an error of the HTTP or TLS library by type and case. Its text is not copied: it quotes header fields and files.
    init(cause: any Error, url: TargetURL) {
        switch cause {
        case let failure as RequestFailure: self = failure
        case let error as HTTPClientError: self.init(error, url)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self.init(tls: cause, url)
        case let error as HTTPParserError: self.init(error, url)
        case NIOHTTPDecompression.DecompressionError.limit: self.init(.tooLarge, "\(url) decodes to more than the limit")
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            self.init(.malformed, "\(url) does not decode")
        case ChannelError.connectTimeout: self.init(.timedOut, "no connection to \(url.origin) in time")
        case is CancellationError: self.init(.cancelled)
        case let error as IOError: self.init(.connection, "\(url.origin): \(Self.sentence(systemError: error.errnoCode))")
        case is NIOConnectionError: self.init(.connection, "\(url.origin) refuses connections")
        default: self.init(.connection, "the connection to \(url.origin) failed")
        }
    }

    private static func sentence(systemError number: CInt) -> String {
        switch number {
        case ECONNREFUSED: "connection refused"
        case ECONNRESET, EPIPE: "connection reset"
        case EHOSTUNREACH, ENETUNREACH: "no route to the host"
        default: "error \(number) of the system"
        }
    }

    private init(_ error: HTTPClientError, _ url: TargetURL) {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout: self.init(.timedOut, "no answer of \(url) in time")
        case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .getConnectionFromPoolTimeout:
            self.init(.timedOut, "no connection to \(url.origin) in time")
        case .invalidURL, .emptyHost, .emptyScheme: self.init(.invalidURL, "\(url)")
        case .cancelled: self.init(.cancelled)
        case .invalidProxyResponse: self.init(.proxy, "the proxy opens no tunnel to \(url.origin)")
        case .proxyAuthenticationRequired: self.init(.proxy, "the proxy wants other credentials")
        case .remoteConnectionClosed: self.init(.connection, "\(url.origin) closed the connection")
        default: self.init(other: error.shortDescription, url)
        }
    }

    /// The cases of ``HTTPClientError`` with values; only their description identifies them.
    private init(other description: String, _ url: TargetURL) {
        switch description {
        case "Invalid header field names", "Invalid header field values": self.init(.invalidField, "a header field that may not be sent")
        case "Server offered unsupported application protocol": self.init(.tls, "\(url.origin) speaks no HTTP/1.1")
        default: self.init(.connection, "\(url.origin): \(description.lowercased())")
        }
    }

    private init(_ error: HTTPParserError, _ url: TargetURL) {
        switch error {
        case .headerOverflow: self.init(.tooLarge, "\(url) has a header larger than the limit")
        case .invalidEOFState, .closedConnection: self.init(.connection, "\(url.origin) ended before its answer did")
        default: self.init(.malformed, "\(url) answers with something else than HTTP")
        }
    }

    private init(tls error: any Error, _ url: TargetURL) {
        switch error {
        case NIOSSLError.uncleanShutdown: self.init(.connection, "\(url.origin) ended before its answer did")
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            self.init(.tls, "the certificate is not for \(url.origin.host)")
        case NIOSSLError.handshakeFailed(let cause): self.init(handshake: cause, url)
        case let cause as BoringSSLError: self.init(handshake: cause, url)
        default: self.init(.tls, "no trust in \(url.origin)")
        }
    }

    /// BoringSSL's name of the reason, such as `CERTIFICATE_VERIFY_FAILED`, from `error:…:…:…:NAME at file:line`. Without one the server
    /// broke off the handshake, as many servers without TLS 1.2 do.
    private init(handshake error: BoringSSLError, _ url: TargetURL) {
        guard case .sslError(let stack) = error, let last = stack.last, last != .eofDuringHandshake else {
            self.init(.tls, "\(url.origin) broke off the handshake; TLS 1.2 or later is required")
            brokeOffHandshake = true
            return
        }
        let name = last.description.split { $0 == " " || $0 == ":" }.first(where: Self.isReason)
        // BoringSSL keeps the result of the chain's check to itself.
        guard name != "CERTIFICATE_VERIFY_FAILED" else {
            self.init(.tls, "\(url.origin): its certificate has expired, is not valid yet, or comes from no trusted authority")
            return
        }
        self.init(.tls, "\(url.origin): \(name.map(String.init) ?? "no common TLS")")
    }

    private static func isReason(_ word: Substring) -> Bool {
        word.contains("_") && word.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "Z")).contains($0) }
    }
}
#endif
