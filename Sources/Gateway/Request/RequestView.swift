internal import JWTCore

/// A client's request in the host's memory, which it cannot outlive. Nothing is copied.
public struct RequestView: ~Escapable {
    private let methodText: HostText
    private let authorityText: HostText
    private let targetText: HostText
    private let fields: Span<HostField>
    private let context: Span<HostField>
    private let policyText: HostText
    private let schemeText: HostText
    private let certificateText: HostText
    /// How the gateway writes ``certificate``.
    let certificateForm: CertificateForm

    /// - Parameters:
    ///   - method: the method, with its case.
    ///   - authority: the one that the client asked for, with its port if it named one.
    ///   - target: path and query as the client sent them, from the first slash.
    ///   - fields: the client's header fields in their order; names in any case.
    ///   - context: what the gateway adds about the route.
    ///   - policy: the name of the policy that a route of the host names (``HostRoutes``); empty without one.
    ///   - scheme: by which the client has asked, `http` or `https`; empty if the gateway does not say so.
    ///   - certificate: the client's, as the gateway itself knows it; empty without one.
    ///   - certificateForm: how the gateway writes it.
    @_lifetime(copy fields, copy context)
    public init(
        method: HostText, authority: HostText, target: HostText, fields: Span<HostField>, context: Span<HostField>,
        policy: HostText = .empty, scheme: HostText = .empty, certificate: HostText = .empty, certificateForm: CertificateForm = .der
    ) {
        methodText = method
        authorityText = authority
        targetText = target
        self.fields = fields
        self.context = context
        policyText = policy
        schemeText = scheme
        certificateText = certificate
        self.certificateForm = certificateForm
    }

    public var method: Span<UInt8> { @_lifetime(copy self) get { methodText.bytes(of: self) } }
    public var authority: Span<UInt8> { @_lifetime(copy self) get { authorityText.bytes(of: self) } }
    public var target: Span<UInt8> { @_lifetime(copy self) get { targetText.bytes(of: self) } }

    var policy: Span<UInt8> { @_lifetime(copy self) get { policyText.bytes(of: self) } }
    var scheme: Span<UInt8> { @_lifetime(copy self) get { schemeText.bytes(of: self) } }
    var certificate: Span<UInt8> { @_lifetime(copy self) get { certificateText.bytes(of: self) } }

    public var fieldCount: Int { fields.count }
    @_lifetime(copy self)
    public func fieldName(_ place: Int) -> Span<UInt8> { fields[place].name.bytes(of: self) }
    @_lifetime(copy self)
    public func fieldValue(_ place: Int) -> Span<UInt8> { fields[place].value.bytes(of: self) }

    /// Whether the field at `place` is called `name`, which is in lower case.
    func isField(_ place: Int, _ name: [UInt8]) -> Bool {
        let text = fields[place].name
        guard text.count == name.count else { return false }
        let given = text.bytes(of: self)
        return given.equals(lowercased: name, in: given.indices)
    }

    /// The place of the one field called `name`. Nil if the request has none, or more than one: servers differ in which one they take.
    func onlyField(_ name: [UInt8]) -> Int? {
        var found: Int?
        for place in 0..<fields.count where isField(place, name) {
            guard found == nil else { return nil }
            found = place
        }
        return found
    }

    var contextCount: Int { context.count }
    @_lifetime(copy self)
    func contextName(_ place: Int) -> Span<UInt8> { context[place].name.bytes(of: self) }
    @_lifetime(copy self)
    func contextValue(_ place: Int) -> Span<UInt8> { context[place].value.bytes(of: self) }

    /// Whether the gateway's context has this value.
    func hasContext(_ key: [UInt8], _ value: [UInt8]) -> Bool {
        for place in 0..<context.count where contextName(place).equals(key) { return contextValue(place).equals(value) }
        return false
    }
}
