internal import Foundation
package import IDaaSWire
internal import Secrets

/// A phone's signature as a request has it, with what it says about itself.
package struct SignedAnswer: Hashable, Sendable {
    package let signature: [UInt8]
    package let version: SignatureVersion
    package let verification: UserVerification

    /// - Parameters:
    ///   - signature: DER in base64.
    ///   - version: `sig_version`; nil means 0, as the documented clients sign.
    ///   - verification: `uv`; nil means biometric.
    /// - Throws: COMMON.1001, 1002 and 1006.
    package init(signature: String, version: Int64?, verification: String?) throws(ServiceError) {
        guard !signature.isEmpty else { throw ServiceError(.missingParameter, WireMember.signature) }
        guard let bytes = Data(base64Encoded: signature), !bytes.isEmpty else { throw ServiceError(.invalidFormat, WireMember.signature) }
        guard let version = SignatureVersion(rawValue: Int(clamping: version ?? 0)) else {
            throw ServiceError(.invalidParameter, WireMember.signatureVersion)
        }
        guard let verification = UserVerification(rawValue: verification ?? UserVerification.biometric.rawValue) else {
            throw ServiceError(.invalidParameter, WireMember.userVerification)
        }
        self.signature = Array(bytes)
        self.version = version
        self.verification = verification
    }

    /// Whether `key` signed `statement`, in a version that is not below what key and policy demand.
    func isOf(_ key: P256PublicKey, _ statement: BiometricStatement, atLeast version: SignatureVersion, _ policy: SecondFactorPolicy)
        -> Bool
    {
        guard self.version.rawValue >= version.rawValue, !policy.requiresStatements || self.version == .statement else { return false }
        return key.isValid(signature, of: statement.bytes(self.version))
    }
}
