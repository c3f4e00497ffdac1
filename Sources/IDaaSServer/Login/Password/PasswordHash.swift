internal import Foundation
internal import Secrets

/// A password as it is stored: `$scrypt$ln=15,r=8,p=3$salt$hash`, in base64 without padding.
package struct PasswordHash: Hashable, Sendable {
    let cost: Scrypt
    let salt: [UInt8]
    let hash: [UInt8]

    private init(cost: Scrypt, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Hashes a password with a new salt; nil where memory is exhausted.
    init?(of password: String, randomness: Randomness, cost: Scrypt) {
        let salt = randomness.bytes(16)
        guard let hash = cost.key(password: Self.bytes(password), salt: salt) else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    /// What a name without a password is compared with: no password has this hash, and the comparison takes as long.
    static func ofNobody(_ cost: Scrypt) -> PasswordHash {
        PasswordHash(cost: cost, salt: [UInt8](repeating: 0, count: 16), hash: [UInt8](repeating: 0, count: 32))
    }

    /// Whether this is the hash of `password`.
    ///
    /// - Throws: ``KeyFailure/cryptography`` where memory is exhausted: that is not a wrong password.
    package func matches(_ password: String) throws -> Bool {
        guard let key = cost.key(password: Self.bytes(password), salt: salt) else { throw KeyFailure.cryptography }
        return equalInConstantTime(key, hash)
    }

    package init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(parts[2]), let salt = Self.decoded(parts[3]),
            let hash = Self.decoded(parts[4]), hash.count == 32
        else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    package var text: String {
        "$scrypt$ln=\(cost.logCost),r=\(cost.blockSize),p=\(cost.parallelism)$\(Self.encoded(salt))$\(Self.encoded(hash))"
    }

    private static func cost(_ text: Substring) -> Scrypt? {
        let numbers = text.split(separator: ",").map { $0.split(separator: "=") }
        guard numbers.count == 3, numbers.map(\.first) == ["ln", "r", "p"], numbers.allSatisfy({ $0.count == 2 }) else { return nil }
        let values = numbers.compactMap { Int($0[1]) }
        guard values.count == 3 else { return nil }
        return Scrypt(logCost: values[0], blockSize: values[1], parallelism: values[2])
    }

    /// NFC, so that a keyboard's way of composing characters does not matter (NIST SP 800-63B section 5.1.1.2).
    private static func bytes(_ password: String) -> [UInt8] { Array(password.precomposedStringWithCanonicalMapping.utf8) }

    private static func encoded(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString().replacing("=", with: "") }

    private static func decoded(_ text: Substring) -> [UInt8]? {
        Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)).map(Array.init)
    }
}
