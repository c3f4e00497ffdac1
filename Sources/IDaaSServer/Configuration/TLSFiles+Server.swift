internal import HTTPEdge
internal import HummingbirdCore

#if WITHOUT_TLS

extension ServerConfiguration.TLSFiles {
    /// - Throws: `ConfigurationError` where files are set: this build has no TLS.
    func server(over plain: HTTPServerBuilder) throws -> HTTPServerBuilder {
        guard !isSet else { throw ConfigurationError("tls: this program was built without TLS (ASSAY_TLS=0)") }
        return plain
    }
}

#else

internal import HummingbirdTLS
internal import NIOSSL

extension ServerConfiguration.TLSFiles {
    /// The server behind TLS where files are set, and `plain` itself elsewhere.
    ///
    /// - Throws: `ConfigurationError` for files that are not a PEM chain and its key, and for a key that other users can read.
    func server(over plain: HTTPServerBuilder) throws -> HTTPServerBuilder {
        isSet ? try .tls(plain, tlsConfiguration: configuration()) : plain
    }

    /// TLS 1.2 and 1.3 with the certificate of the files.
    private func configuration() throws -> TLSConfiguration {
        try SecretFile.checkMode(of: key, setting: "tls.key")
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map(NIOSSLCertificateSource.certificate)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            tls.minimumTLSVersion = .tlsv12
            tls.applicationProtocols = ["http/1.1"]
            return tls
        } catch {
            throw ConfigurationError("tls: \(certificate) and \(key) are not a certificate chain and its key in PEM")
        }
    }
}

#endif

extension ServerConfiguration {
    func url(of address: ListenAddress) -> String { "\(tls.isSet ? "https" : "http")://\(address.authority)" }
}
