/// An invalid configuration; the server does not start with it. The text names the setting, and never a secret.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
