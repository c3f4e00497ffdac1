/// A client's request as the gateway describes it. A profile makes one from the gateway's own message.
public struct RequestFacts: Sendable {
    public var method: String
    public var scheme: String?
    /// The authority that the client asked for, with its port if it named one.
    public var host: String
    /// Path and query as the client sent them, from the first slash.
    public var target: String
    /// The client's header fields in their order.
    public var fields: [Field]
    /// What the gateway adds about the route: Envoy's `context_extensions`, or a field that only the gateway can set.
    public var context: [String: String]

    public init(
        method: String, scheme: String? = nil, host: String, target: String, fields: [Field] = [], context: [String: String] = [:]
    ) {
        self.method = method
        self.scheme = scheme
        self.host = host
        self.target = target
        self.fields = fields
        self.context = context
    }
}

/// The facts of a request, copied into memory of their own for a view.
@safe
struct FactsMemory: ~Copyable {
    // SAFETY: allocated in init, freed in deinit. Every text lies within `bytes`, and `fields` has the fields before the context.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let fields: UnsafeMutableBufferPointer<HostField>
    private let fieldCount: Int
    private var used = 0

    private var method = unsafe HostText(nil, count: 0)
    private var authority = unsafe HostText(nil, count: 0)
    private var target = unsafe HostText(nil, count: 0)

    init(_ facts: RequestFacts) {
        var size = facts.method.utf8.count + facts.host.utf8.count + facts.target.utf8.count
        for field in facts.fields { size += field.name.utf8.count + field.value.utf8.count }
        for (key, value) in facts.context { size += key.utf8.count + value.utf8.count }
        unsafe bytes = .allocate(capacity: size)
        unsafe fields = .allocate(capacity: facts.fields.count + facts.context.count)
        fieldCount = facts.fields.count
        method = copy(facts.method)
        authority = copy(facts.host)
        target = copy(facts.target)
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

    var view: RequestView {
        @_lifetime(borrow self) get {
            let all = unsafe Span(_unsafeElements: UnsafeBufferPointer(fields))
            let view = RequestView(
                method: method, authority: authority, target: target, fields: all.extracting(0..<fieldCount),
                context: all.extracting(fieldCount..<all.count))
            return unsafe _overrideLifetime(view, borrowing: self)
        }
    }
}
