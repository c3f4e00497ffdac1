/// Certificates or a key in PEM (RFC 7468).
public enum PEM: Hashable, Sendable {
    /// The path of a file, read once: when a ``GuardedClient`` is made.
    case file(String)
    case bytes([UInt8])
}
