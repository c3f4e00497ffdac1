/// The facts of a request, copied into memory of their own: for hosts that have no bytes to lend.
@safe
public struct RequestMemory: ~Copyable {
    // SAFETY: allocated in init, freed in deinit. Every text lies within `bytes`, and `fields` has the fields before the context.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let fields: UnsafeMutableBufferPointer<HostField>
    private let fieldCount: Int
    private var used = 0

    private var method = HostText.empty
    private var authority = HostText.empty
    private var target = HostText.empty
    private var scheme = HostText.empty
    private var certificate = HostText.empty
    private let certificateForm: CertificateForm

    public init(_ facts: RequestFacts) {
        var size = facts.method.utf8.count + facts.host.utf8.count + facts.target.utf8.count + (facts.scheme?.utf8.count ?? 0)
        size += facts.certificate?.text.utf8.count ?? 0
        for field in facts.fields { size += field.name.utf8.count + field.value.utf8.count }
        for (key, value) in facts.context { size += key.utf8.count + value.utf8.count }
        unsafe bytes = .allocate(capacity: size)
        unsafe fields = .allocate(capacity: facts.fields.count + facts.context.count)
        fieldCount = facts.fields.count
        certificateForm = facts.certificate?.form ?? .der
        method = copy(facts.method)
        authority = copy(facts.host)
        target = copy(facts.target)
        if let text = facts.scheme { scheme = copy(text) }
        if let text = facts.certificate?.text { certificate = copy(text) }
        for (place, field) in facts.fields.enumerated() {
            unsafe fields.initializeElement(at: place, to: HostField(name: copy(field.name), value: copy(field.value)))
        }
        for (place, entry) in facts.context.enumerated() {
            unsafe fields.initializeElement(
                at: fieldCount + place, to: HostField(name: copy(entry.key), value: copy(entry.value)))
        }
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe fields.deallocate()
    }

    private mutating func copy(_ text: String) -> HostText {
        let start = used
        (_, used) = unsafe bytes[start...].initialize(from: text.utf8)
        return unsafe HostText(bytes.baseAddress.map { unsafe UnsafePointer($0 + start) }, count: used - start)
    }

    /// The request, as long as this memory lives.
    public var view: RequestView {
        @_lifetime(borrow self) get {
            let all = unsafe Span(_unsafeElements: UnsafeBufferPointer(fields))
            let view = RequestView(
                method: method, authority: authority, target: target, fields: all.extracting(0..<fieldCount),
                context: all.extracting(fieldCount..<all.count), scheme: scheme, certificate: certificate, certificateForm: certificateForm)
            return unsafe _overrideLifetime(view, borrowing: self)
        }
    }
}
