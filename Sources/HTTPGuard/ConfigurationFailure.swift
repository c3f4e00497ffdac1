/// A configuration error, described for the operator. It contains no secrets.
public struct ConfigurationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
