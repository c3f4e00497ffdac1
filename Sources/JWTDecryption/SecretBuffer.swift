internal import COpenSSL

/// Memory for a key: never copied, wiped when it ends.
@safe
package struct SecretBuffer: ~Copyable, @unchecked Sendable {
    // SAFETY: `count` bytes, zero at first, freed only in `deinit`. Written only by the only owner of a variable.
    private let start: UnsafeMutablePointer<UInt8>
    package let count: Int

    package init(count: Int) {
        self.count = count
        unsafe start = .allocate(capacity: max(count, 1))
        unsafe start.initialize(repeating: 0, count: max(count, 1))
    }

    deinit {
        unsafe cossl_wipe(start, count)
        unsafe start.deallocate()
    }

    package func read<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result { unsafe body(start) }

    package mutating func write<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result { unsafe body(start) }
}
