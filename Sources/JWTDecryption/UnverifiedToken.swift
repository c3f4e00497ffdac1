internal import JWTCore

/// The signed token inside of an encrypted one. Decryption says nothing about its sender: anybody can encrypt to a public key. Only a
/// verifier makes it a `VerifiedToken`.
public struct UnverifiedToken: Sendable {
    /// The compact JWS.
    public let bytes: [UInt8]

    /// The compact JWS as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// - Throws: `not_nested` unless the bytes have three parts: for a claims set that is only encrypted, a second encryption, or anything
    ///   else.
    init(_ bytes: [UInt8]) throws(VerificationError) {
        let dots = bytes.count { $0 == UInt8(ascii: ".") }
        guard dots == 2, bytes.first != UInt8(ascii: "{"), bytes.first != UInt8(ascii: ".") else { throw VerificationError(.notNested) }
        self.bytes = bytes
    }
}

extension UnverifiedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes, without any of them.
    public var description: String { "UnverifiedToken(\(bytes.count) bytes)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
