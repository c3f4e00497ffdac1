internal import CCurl
internal import JWTCore

/// The roots and the client's certificate of a configuration, read once.
@safe
final class Trust: @unchecked Sendable {
    // SAFETY: owned by this object, and immutable after `init`.
    let pointer: OpaquePointer

    init(_ configuration: GuardedClient.Configuration) throws(ConfigurationFailure) {
        let hasSystemRoots: Bool
        if case .only = configuration.trustRoots { hasSystemRoots = false } else { hasSystemRoots = true }
        guard let pointer = unsafe Forks.hold(during: { unsafe ccurl_trust_new(hasSystemRoots) }) else {
            throw ConfigurationFailure("no memory for certificates")
        }
        unsafe self.pointer = pointer
        switch configuration.trustRoots {
        case .system: break
        case .systemAnd(let pem), .only(let pem):
            try unsafe pem.read("trust roots", "certificates in PEM") { unsafe ccurl_trust_add_roots(pointer, $0) }
        }
        if let own = configuration.clientCertificate {
            try unsafe own.chain.read("client certificate", "certificates in PEM") { unsafe ccurl_trust_set_chain(pointer, $0) }
            try unsafe own.key.read("client certificate", "its unencrypted private key in PEM") {
                unsafe ccurl_trust_set_key(pointer, $0)
            }
        }
    }

    deinit { Forks.hold { unsafe ccurl_trust_free(pointer) } }
}

extension PEM {
    /// Hands the text to a function of CCurl.
    @unsafe
    fileprivate func read(_ subject: String, _ what: String, _ function: (UnsafePointer<ccurl_pem>) -> CInt) throws(ConfigurationFailure) {
        let isRead: Bool, name: String
        switch self {
        case .file(let path):
            name = path
            isRead = unsafe path.withCString { path in
                var pem = unsafe ccurl_pem(path: path, bytes: nil, count: 0)
                return Forks.hold { unsafe function(&pem) == 1 }
            }
        case .bytes(let bytes):
            name = "what was given"
            isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
                var pem = unsafe ccurl_pem(path: nil, bytes: bytes.baseAddress, count: bytes.count)
                return Forks.hold { unsafe function(&pem) == 1 }
            }
        }
        guard isRead else { throw ConfigurationFailure("\(subject): \(name) cannot be read as \(what)") }
    }
}
