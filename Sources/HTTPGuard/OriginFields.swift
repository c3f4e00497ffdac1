public import JWKSCache

/// Fields, such as an API key, that are sent only to one origin, with every request.
public struct OriginFields: Hashable, Sendable {
    public let origin: Origin
    public let fields: [HeaderField]

    public init(origin: Origin, fields: [HeaderField]) {
        self.origin = origin
        self.fields = fields
    }
}
