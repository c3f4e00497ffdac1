#if HTTP
internal import NIOSSL

extension TLSConfiguration {
    /// TLS 1.2 or later, with the certificate and its name verified.
    static func guarded(_ configuration: GuardedClient.Configuration) throws(ConfigurationFailure) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = .fullVerification
        switch configuration.trustRoots {
        case .system: tls.trustRoots = .default
        case .systemAnd(let pem): tls.additionalTrustRoots = [.certificates(try pem.certificates("trust roots"))]
        case .only(let pem): tls.trustRoots = .certificates(try pem.certificates("trust roots"))
        }
        if let own = configuration.clientCertificate {
            tls.certificateChain = try own.chain.certificates("client certificate").map { .certificate($0) }
            tls.privateKey = .privateKey(try own.key.privateKey())
        }
        return tls
    }
}

extension PEM {
    /// At least one certificate.
    fileprivate func certificates(_ subject: String) throws(ConfigurationFailure) -> [NIOSSLCertificate] {
        do {
            let certificates =
                switch self {
                case .file(let path): try NIOSSLCertificate.fromPEMFile(path)
                case .bytes(let bytes): try NIOSSLCertificate.fromPEMBytes(bytes)
                }
            guard !certificates.isEmpty else { throw ConfigurationFailure("no certificate in the \(subject)") }
            return certificates
        } catch {
            throw ConfigurationFailure("\(subject): \(name) cannot be read as certificates in PEM")
        }
    }

    fileprivate func privateKey() throws(ConfigurationFailure) -> NIOSSLPrivateKey {
        do {
            return switch self {
            case .file(let path): try NIOSSLPrivateKey(file: path, format: .pem)
            case .bytes(let bytes): try NIOSSLPrivateKey(bytes: bytes, format: .pem)
            }
        } catch {
            throw ConfigurationFailure("client certificate: \(name) cannot be read as an unencrypted private key in PEM")
        }
    }

    private var name: String {
        switch self {
        case .file(let path): path
        case .bytes: "what was given"
        }
    }
}
#endif
