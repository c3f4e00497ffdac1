/// A header field for the upstream with the value of a claim.
///
/// Every decision that allows a request sets every field of its providers, empty if the claim is absent, so that a client's own field of that
/// name never reaches the upstream.
public struct ClaimHeader: Hashable, Sendable {
    public var name: String
    /// From the payload's top.
    public var path: [ClaimStep]
    /// How an array becomes a value.
    public var arrays: Arrays = .joined(",")

    public enum Arrays: Hashable, Sendable {
        /// The elements with a separator between them. Its characters are percent-encoded inside an element.
        case joined(String)
        /// JSON in ASCII.
        case json
    }

    public init(_ name: String, path: [ClaimStep], arrays: Arrays = .joined(",")) {
        self.name = name
        self.path = path
        self.arrays = arrays
    }
}
