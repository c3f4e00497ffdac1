#if Gateway
internal import Gateway

// How a gateway tells the certificate of its client. Each sets its field in every request, also where there is no certificate.

extension GatewayFile {
    /// The names that have a value only where a certificate is told. A line with one of the others is left out.
    static let certificateNames = ["CertificateField", "certificateDetails", "passesCertificate", "peerCertificate"]

    /// - Throws: if the listener expects a field or a form that the gateway does not write.
    func certificateValues(of listener: ListenerSettings, _ configuration: ServiceConfiguration) throws(Failure) -> [String: String] {
        guard self != .envoyGRPC else {
            let isAsked = configuration.decisions.providers.contains { $0.certificateBinding != nil }
            return isAsked ? ["peerCertificate": "true"] : [:]
        }
        guard let field = listener.certificateField else { return [:] }
        guard field.form == certificateForm else {
            throw Failure(
                description: "\(rawValue) writes a certificate as \(certificateForm.rawValue), and the listener \(listener.name) expects "
                    + field.form.rawValue)
        }
        if let own = ownCertificateField, own != field.name {
            throw Failure(description: "\(rawValue) writes a certificate into \(own); name this field in the listener \(listener.name)")
        }
        return [
            "CertificateField": GatewayFileField.capitalized(field.name), "certificateDetails": "SANITIZE_SET", "passesCertificate": "true",
        ]
    }

    private var certificateForm: CertificateForm {
        switch self {
        case .nginx, .nginxServer, .nginxLocation, .apisix, .envoyGRPC: .pemEscaped
        case .haproxy, .haproxyScript, .caddy, .traefik: .derBase64
        case .envoyHTTP: .xfcc
        }
    }

    /// The field of a gateway that writes no other.
    private var ownCertificateField: String? {
        switch self {
        case .traefik: "x-forwarded-tls-client-cert"
        case .envoyHTTP: "x-forwarded-client-cert"
        case .nginx, .nginxServer, .nginxLocation, .haproxy, .haproxyScript, .caddy, .apisix, .envoyGRPC: nil
        }
    }
}
#endif
