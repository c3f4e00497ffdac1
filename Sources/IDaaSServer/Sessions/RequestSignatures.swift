internal import Foundation
internal import IDaaSWire
internal import Secrets

/// Reads `X-signature`: `session_token=…&timestamp=…&nonce=…`, encrypted with the client's public key (RSA-OAEP), in base64.
///
/// Every faulty signature gets the same answer, so the answers do not reveal how far the server understood a forged one.
package struct RequestSignatures: Sendable {
    let clients: ClientKeys
    /// The allowed difference of a timestamp, in either direction.
    let window: Duration

    struct Request: Sendable {
        let sessionToken: String
        /// The record to insert in the request's transaction, so that the signature works once.
        let nonce: SingleUse
    }

    /// - Throws: `IDAAS.SDK.COMMON.1014` for a client without a key, `IDAAS.SDK.COMMON.1004`.
    func open(_ signature: String, for caller: Caller, at now: Timestamp) throws -> Request {
        let key = try clients.decryptionKey(of: caller.client)
        let refusal = ServiceError(.undecryptableSignature)
        guard signature.utf8.count <= Self.longestSignature, let ciphertext = Data(base64Encoded: signature),
            let plaintext = key.decrypt(Array(ciphertext), mask: caller.client.settings.signatureMaskSHA1 ? .sha1 : .sha256),
            let fields = Self.fields(plaintext), let sessionToken = fields["session_token"], let nonce = fields["nonce"],
            let timestamp = fields["timestamp"].flatMap(Self.instant), isInWindow(timestamp, now)
        else { throw refusal }
        guard (1...64).contains(sessionToken.utf8.count), (1...128).contains(nonce.utf8.count) else { throw refusal }
        return Request(sessionToken: sessionToken, nonce: record(of: nonce, sessionToken, timestamp, caller, at: now))
    }

    private func isInWindow(_ timestamp: Timestamp, _ now: Timestamp) -> Bool {
        timestamp >= now - window && timestamp <= now + window
    }

    private func record(
        of nonce: String, _ sessionToken: String, _ timestamp: Timestamp, _ caller: Caller, at now: Timestamp
    ) -> SingleUse {
        let key = Digest256.of(SessionFamily.digest(of: sessionToken) + Array(nonce.utf8))
        // Kept until the timestamp check refuses a repetition without it.
        return SingleUse(
            purpose: .nonce, key: key, client: caller.client.id, device: caller.device, created: now,
            expires: timestamp + window + .seconds(1), consumed: now)
    }

    /// `name=value` between ampersands, each name once; nil for any other text.
    private static func fields(_ plaintext: [UInt8]) -> [String: String]? {
        guard let text = String(validating: plaintext, as: UTF8.self) else { return nil }
        var fields: [String: String] = [:]
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: "=") else { return nil }
            let value = String(part[part.index(after: sign)...])
            guard fields.updateValue(value, forKey: String(part[..<sign])) == nil else { return nil }
        }
        return fields
    }

    /// Seconds or milliseconds, distinguished by magnitude: eleven digits as seconds are the year 5138.
    private static func instant(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else { return nil }
        return number < 100_000_000_000 ? Timestamp(seconds: number) : Timestamp(milliseconds: number)
    }

    private static let longestSignature = 2_048
}
