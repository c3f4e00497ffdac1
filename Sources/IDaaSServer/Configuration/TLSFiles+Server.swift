internal import HTTPEdge
internal import NIOSSL

extension ServerConfiguration.TLSFiles {
    /// TLS 1.2 and 1.3 with the certificate of the files.
    ///
    /// - Throws: `ConfigurationError` for files that are not a PEM chain and its key, and for a key that other users can read.
    func configuration() throws -> TLSConfiguration {
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

extension ServerConfiguration {
    func url(of address: ListenAddress) -> String { "\(tls.isSet ? "https" : "http")://\(address.authority)" }
}
