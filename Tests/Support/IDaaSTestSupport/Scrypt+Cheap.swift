package import Secrets

extension Scrypt {
    /// Hashes in a millisecond. Passwords of production take 32 MiB and a quarter of a second (``password``).
    package static let cheap = Scrypt(logCost: 4, blockSize: 1, parallelism: 1) ?? .password
}
