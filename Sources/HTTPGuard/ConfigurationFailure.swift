#if HTTP
/// What is wrong with a configuration, for whoever wrote it. No secret is in it.
public struct ConfigurationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
#endif
