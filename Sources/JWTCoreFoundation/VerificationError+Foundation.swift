public import JWTCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// JWTCore imports no Foundation. A program that has it gets here what Foundation's users expect.

extension VerificationError: LocalizedError {
    /// The error's description: one sentence, without a byte of the token or the key.
    public var errorDescription: String? { description }
}

extension Date {
    /// The instant of a NumericDate (RFC 7519 section 2), such as `token.expiration`, to the precision of a `Double`.
    public init(_ date: NumericDate) {
        self.init(timeIntervalSince1970: Double(date.seconds) + Double(date.nanoseconds) / 1e9)
    }
}
