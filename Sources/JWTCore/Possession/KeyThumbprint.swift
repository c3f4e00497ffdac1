internal import CJWTKernels

/// The SHA-256 thumbprint of a public key (RFC 7638), as a value that is compared and stored: 32 bytes.
public struct KeyThumbprint: Hashable, Sendable, BitwiseCopyable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// - Parameter digest: 32 bytes; nil for any other number.
    public init?(_ digest: [UInt8]) {
        guard digest.count == Self.byteCount else { return nil }
        self.init(digest.span)
    }

    /// Reads the base64url text that `jkt` has (RFC 9449 section 6.1). Nil for any other text.
    public init?(_ text: String) { self.init(base64URL: JSONString(text.utf8.span, isEscaped: false)) }

    /// Reads a text of a token. No thumbprint needs an escape.
    package init?(base64URL text: borrowing JSONString) {
        guard !text.isEscaped, text.raw.count == Self.textCount else { return nil }
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        var out = bytes.mutableSpan
        do throws(VerificationError) { _ = try Base64URL.decode(text.raw, into: &out) } catch { return nil }
        self.init(bytes.span)
    }

    /// The SHA-256 digest of `message`, by the kernels where they are active. Nil if memory is exhausted.
    package init?(hashing message: Span<UInt8>) {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var out = digest.mutableSpan
        // SAFETY: the kernel writes 32 bytes, and reads the message with its length.
        let isDone = unsafe out.withUnsafeMutableBufferPointer { out in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe Engine.isActive(.sha2) && cjwt_sha256_one(out.baseAddress, message.baseAddress, message.count) == 1
            }
        }
        if isDone { self.init(digest.span) } else { self.init(Digest.sha256.bytes(of: message)) }
    }

    /// The caller has checked that there are 32 bytes.
    private init(_ digest: Span<UInt8>) {
        first = digest.eightBytes(at: 0)
        second = digest.eightBytes(at: 8)
        third = digest.eightBytes(at: 16)
        fourth = digest.eightBytes(at: 24)
    }

    private static let byteCount = 32
    private static let textCount = 43

    /// The digest: 32 bytes.
    public var bytes: [UInt8] {
        [first, second, third, fourth].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
    }

    /// Bits of the digest that a table in memory may use. A sender can choose them by making many keys.
    package var hash: UInt64 { first }
}

extension KeyThumbprint {
    /// Compares all bits in the same time, whichever of them differ.
    public static func == (one: Self, other: Self) -> Bool {
        (one.first ^ other.first) | (one.second ^ other.second) | (one.third ^ other.third) | (one.fourth ^ other.fourth) == 0
    }
}

extension KeyThumbprint: CustomStringConvertible {
    /// The digest in base64url, as `jkt` has it.
    public var description: String { String(decoding: Base64URL.encode(bytes), as: UTF8.self) }
}
