/// A request to another server. It fits into memory.
public struct OutgoingRequest: Hashable, Sendable {
    /// In upper case: `GET`.
    public var method: String
    /// An absolute https URL.
    public var url: String
    /// Without `Host`, framing and content coding: the client sets them.
    public var fields: [HeaderField]
    public var body: [UInt8]
    /// From the call to the last byte; nil: as long as the client's own limit.
    public var timeLimit: Duration?

    public init(
        _ method: String = "GET", url: String, fields: [HeaderField] = [], body: [UInt8] = [], timeLimit: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeLimit = timeLimit
    }

    /// The first value of a field, its name in any case.
    public func first(_ name: String) -> String? { fields.first(named: name) }
}

extension [HeaderField] {
    func first(named name: String) -> String? { first { $0.isNamed(name) }?.value }
}
