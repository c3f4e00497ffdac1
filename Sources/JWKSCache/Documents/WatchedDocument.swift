internal import JWTCore

/// Whether a file has changed. Compares the content, because Kubernetes replaces a mounted file through links, which may keep its date.
package struct WatchedDocument: Sendable {
    /// The file has changed since its content was last taken.
    package var hasChanged = false
    private var digest: [UInt8]?
    private var nextLook = Duration.zero

    /// The digest of the file's content; empty if it cannot be read.
    static func digest(of path: String) -> [UInt8] {
        digest(of: try? RegularFile.read(path, limit: KeySet.maximumBytes))
    }

    package init() {}

    /// The digest of a content that was read; empty for a file that cannot be read.
    package static func digest(of content: [UInt8]?) -> [UInt8] { content.map { Digest.sha256.bytes(of: $0.span) } ?? [] }

    /// Whether a second has passed since the last look.
    package mutating func isDue(_ now: Duration) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + .seconds(1)
        return true
    }

    /// Compares the content with the one before, if there was one.
    package mutating func note(_ next: [UInt8]) {
        if let digest, digest != next { hasChanged = true }
        digest = next
    }
}
