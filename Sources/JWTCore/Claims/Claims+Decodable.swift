extension Claims {
    /// The claim `name` as a `String`; nil if the token does not have it or it is not a string.
    public func string(_ name: String) -> String? { value.string(name) }

    /// The registered claim as a `String`; nil if the token does not have it or it is not a string.
    public func string(_ claim: RegisteredClaim) -> String? { self[claim]?.string?.string }

    /// Decodes the claims into a type of your own.
    ///
    /// ```swift
    /// let profile = try token.claims.decode(Profile.self)  // a Decodable struct with members such as `sub` and `email`
    /// ```
    ///
    /// Integers are exact: one that does not fit, or is written with a fraction or an exponent, is an error. A `Double` is the nearest one.
    /// Use ``NumericDate`` for dates: Foundation's `Date` would count from 2001. The claims are copied first, so this allocates; verifying
    /// does not.
    ///
    /// - Throws: `DecodingError` with the path of the mismatch, without its value; errors of the type's `init(from:)`.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T { try value.decode(type) }
}

extension JSONValue {
    /// The member `name` as a `String`; nil if it is missing or not a string.
    public func string(_ name: String) -> String? { self[name]?.string?.string }

    /// Decodes the value into a type of your own, as ``Claims/decode(_:)`` does.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        try JSONValueDecoder(self).decode(type)
    }
}

extension NumericDate: Decodable {
    /// Reads seconds since 1970: exactly, with fractions and exponents, from claims; whole seconds from other decoders.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = try decoder.date()
        } else {
            self.init(seconds: try decoder.singleValueContainer().decode(Int64.self))
        }
    }
}
