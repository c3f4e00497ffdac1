/// Where a JSON object seems to name its issuer.
package enum IssuerPlace: Equatable {
    /// The bytes between the quotes of the first member called `iss`.
    case found(Range<Int>, isEscaped: Bool)
    /// The value is not a string.
    case otherType
    /// No member is called `iss` without escapes.
    case missing
    /// Too many inner objects have the member.
    case hidden
}
