import AssayTesting
import JWTCore
import JWTDecryption

extension Workload {
    /// Encrypted tokens that are opened, beside libcrypto's operations alone. The inner token is not verified: other rows do that.
    ///
    /// - Parameters:
    ///   - algorithm: one whose encryption key is of 32 bytes: RSA-OAEP-256, ECDH-ES or `dir`.
    ///   - tokens: the inner tokens.
    ///   - isMore: whether only the time beyond libcrypto's is measured.
    init?(decrypting algorithm: KeyManagementAlgorithm, _ tokens: BenchTokens, curve: AgreementCurve = .p256, isMore: Bool = false) {
        let inner = String(decoding: tokens.texts[0], as: UTF8.self)
        guard let recipient = try? TestRecipient(algorithm, curve: curve), let token = try? recipient.encrypted(inner),
            let key = try? recipient.decryptionKey,
            let raw = RawDecryption(token, privateJWK: recipient.privateJWK, recipient.encryption)
        else { return nil }
        let decryptor = Decryptor(keys: [key]), bytes = Array(token.utf8), count = inner.utf8.count
        let ours: (Int) -> Bool = { _ in (try? decryptor.decrypt(bytes))?.bytes.count == count }
        if isMore { self.init(ours: ours, baseline: raw.opens) } else { self.init(ours: ours, raw: raw.opens) }
    }
}
