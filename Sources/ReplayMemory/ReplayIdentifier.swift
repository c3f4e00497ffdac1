internal import COpenSSL

/// What may be used once: the SHA-256 digest (FIPS 180-4) of a domain and of what names the thing there.
///
/// Every part is hashed behind its length, so two different lists of parts never have one digest by a shift of their bytes. A memory keeps
/// the digest alone: whoever reads the memory learns no token, no code and no name.
public struct ReplayIdentifier: Hashable, Sendable {
    // The digest, in the order of its bytes.
    let first: UInt64
    let second: UInt64
    let third: UInt64
    let fourth: UInt64

    /// - Parameters:
    ///   - domain: names the kind of thing (`token`, `dpop`, `code`): equal parts of two domains are two identifiers.
    ///   - parts: what names the thing within the domain, such as an issuer and its `jti`, each as bytes of any number.
    public init(_ domain: StaticString, _ parts: [[UInt8]]) {
        var message: [UInt8] = []
        Self.append(unsafe Array(UnsafeBufferPointer(start: domain.utf8Start, count: domain.utf8CodeUnitCount)), to: &message)
        for part in parts { Self.append(part, to: &message) }
        var digest = [UInt8](repeating: 0, count: 32)
        // A digest fails only when memory is exhausted. No caller may get a wrong one.
        guard unsafe cossl_digest_bytes(&digest, COSSL_DIGEST_SHA256, message, message.count) == 1 else {
            fatalError("no memory for SHA-256")
        }
        self.init(digest: digest)
    }

    /// An identifier that was made elsewhere.
    ///
    /// - Parameter digest: its 32 ``bytes``.
    package init(digest: [UInt8]) {
        func word(_ place: Int) -> UInt64 { digest[place * 8..<place * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
    }

    private static func append(_ part: [UInt8], to message: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: part.count >> shift)) }
        message += part
    }

    /// The digest: 32 bytes.
    public var bytes: [UInt8] {
        [first, second, third, fourth].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }
}
