public import JWTCore

extension NumericDate: Encodable {
    /// Writes whole seconds since 1970 as an integer, and others as the nearest `Double`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if nanoseconds == 0 { return try container.encode(seconds) }
        try container.encode(Double(seconds) + Double(nanoseconds) / 1e9)
    }
}
