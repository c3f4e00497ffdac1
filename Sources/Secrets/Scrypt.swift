internal import COpenSSL

/// scrypt (RFC 7914): a password hash that needs memory.
public struct Scrypt: Hashable, Sendable {
    /// The base-2 logarithm of N.
    public let logCost: Int
    /// r
    public let blockSize: Int
    /// p
    public let parallelism: Int

    /// - Returns: nil for parameters outside 1...20, 1...32 and 1...16, or that need more than 256 MiB.
    public init?(logCost: Int, blockSize: Int, parallelism: Int) {
        guard (1...20).contains(logCost), (1...32).contains(blockSize), (1...16).contains(parallelism) else { return nil }
        self.logCost = logCost
        self.blockSize = blockSize
        self.parallelism = parallelism
        guard memory <= 1 << 28 else { return nil }
    }

    private init(_ logCost: Int, _ blockSize: Int, _ parallelism: Int) {
        self.logCost = logCost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// N = 2^15, r = 8, p = 3: 32 MiB.
    public static let password = Scrypt(15, 8, 3)

    /// The bytes that one call needs.
    public var memory: Int { 128 * blockSize * (1 << logCost + parallelism + 2) }

    /// The derived key of 32 bytes; nil where memory is exhausted.
    public func key(password: [UInt8], salt: [UInt8]) -> [UInt8]? {
        var key = [UInt8](repeating: 0, count: 32)
        let isGood = unsafe cossl_scrypt(
            &key, key.count, password, password.count, salt, salt.count, UInt32(logCost), UInt64(blockSize), UInt64(parallelism),
            UInt64(memory))
        return isGood == 1 ? key : nil
    }
}
