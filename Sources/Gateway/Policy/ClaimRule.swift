/// What a claim of an accepted token must be. An absent claim, a null and a value of another type break the rule.
public struct ClaimRule: Hashable, Sendable {
    /// The provider whose tokens the rule is for; nil: those of every provider of the policy.
    public var provider: String?
    public var path: [ClaimStep]
    public var condition: Condition

    /// A value is compared with the text of a string, and with the JSON of a number or a boolean: byte for byte, without normalisation.
    public enum Condition: Hashable, Sendable {
        /// The claim has one of these values, or is an array that contains one.
        case anyOf([String])
        /// The claim is an array that contains all of these values, or has the only one.
        case allOf([String])
        /// The claim has this value. An array that contains it does not.
        case equals(String)
        /// The claim is a string that begins so, or an array that contains one.
        case prefix(String)
        /// The claim is a mail address in one of these domains: one `@`, something before it, and the domain itself behind it. Letters of a
        /// domain have no case (RFC 5321 section 2.4).
        case mailDomain([String])
        case present
        /// The claim is a number between these limits, which are allowed too: compared to nine decimals, up to 253,402,300,799.
        case number(atLeast: Int64?, atMost: Int64?)
    }

    public init(_ path: [ClaimStep], _ condition: Condition, provider: String? = nil) {
        self.path = path
        self.condition = condition
        self.provider = provider
    }
}
