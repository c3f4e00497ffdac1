#if IDaaS
/// A configuration that the server does not start with. The text names the setting, and never a secret.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
#endif
