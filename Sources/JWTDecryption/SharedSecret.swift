/// A shared secret: copied once, never printed, wiped with its last owner.
final class SharedSecret: Sendable {
    private let bytes: SecretBuffer

    init(_ secret: [UInt8]) {
        var bytes = SecretBuffer(count: secret.count)
        unsafe bytes.write { bytes in
            for index in secret.indices { unsafe bytes[index] = secret[index] }
        }
        self.bytes = bytes
    }

    func read<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result { unsafe bytes.read(body) }
}
