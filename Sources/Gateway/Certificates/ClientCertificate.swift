/// The client's certificate as the gateway tells it. Nothing is read until a token that is bound to a certificate asks for it.
public struct ClientCertificate: Hashable, Sendable {
    public var form: CertificateForm
    public var text: String

    /// - Parameters:
    ///   - form: how the gateway writes it.
    ///   - text: as the gateway wrote it; empty without a certificate.
    public init(_ form: CertificateForm, _ text: String) {
        self.form = form
        self.text = text
    }
}

/// The field in which a gateway tells the certificate of its client. It sets the field in every request, also where there is no
/// certificate: else a client could send one of its own.
public struct CertificateField: Hashable, Sendable {
    /// In lower case.
    public let name: String
    public let form: CertificateForm

    /// - Parameters:
    ///   - name: of the field, in any case.
    ///   - form: how the gateway writes the certificate in it.
    public init(name: String, form: CertificateForm) {
        self.name = name.lowercased()
        self.form = form
    }

    /// Whether a field, in lower case, has another use in a request, so that a gateway cannot give it up.
    package static func isTaken(_ name: String) -> Bool {
        let isOfGateways = ["x-forwarded-client-cert", "x-forwarded-tls-client-cert"].contains(name)
        return !isOfGateways && FieldNames.isReserved(name) || name == "dpop"
    }
}

/// Whether the tokens of a provider are bound to the certificate of their client (RFC 8705 section 3).
public enum CertificateBinding: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Every token is.
    case required
    /// A token that is bound is accepted with its certificate alone. Another one is a bearer token as before.
    case optional
}
