/// A complete response of another server, of any status.
public struct ReceivedResponse: Hashable, Sendable {
    public let status: Int
    /// In their order.
    public let fields: [HeaderField]
    /// Decoded from any content coding, within the client's limit.
    public let body: [UInt8]

    public init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first value of a field, its name in any case.
    public func first(_ name: String) -> String? { fields.first(named: name) }

    /// The values of all fields with this name, in any case, joined by a comma (RFC 9110 section 5.3); nil without such a field.
    public func field(_ name: String) -> String? {
        let values = fields.filter { $0.isNamed(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
