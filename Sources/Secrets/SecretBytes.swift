internal import COpenSSL

/// Key material: copied once, never printed, wiped with its last owner.
@safe
final class SecretBytes: @unchecked Sendable {
    // SAFETY: written only in `init`, then read-only, freed only in `deinit`. At least one byte, so that no pointer is NULL.
    private let bytes: UnsafeMutablePointer<UInt8>
    private let count: Int

    init(_ secret: [UInt8]) {
        count = secret.count
        unsafe bytes = .allocate(capacity: max(count, 1))
        for index in secret.indices { unsafe bytes[index] = secret[index] }
    }

    deinit {
        unsafe cossl_wipe(bytes, count)
        unsafe bytes.deallocate()
    }

    func read<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result { unsafe body(bytes, count) }
}

/// Overwrites `bytes` with zeros and empties them.
///
/// A write copies an array that shares its storage: call this for its only owner.
public func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe cossl_wipe($0.baseAddress, $0.count) }
    bytes = []
}
