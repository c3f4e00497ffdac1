internal import IDaaSWire
internal import Secrets

/// A keyed hash that hides SMS codes in the store: without a key, a million attempts would find a code.
package protocol KeyedHash: Sendable {
    func code(for message: [UInt8]) -> [UInt8]
}

extension AuthenticationKey: KeyedHash {}

/// The owner of a code: the number, and the client and the device that requested it. An attempt by any other caller does not count against
/// this code.
struct CodeOwner: Hashable, Sendable {
    let type: SMSPurpose
    let mobile: MobileNumber
    let client: String
    let device: [UInt8]

    init(_ type: SMSPurpose, _ mobile: MobileNumber, _ caller: Caller) {
        self.type = type
        self.mobile = mobile
        client = caller.client.id
        device = caller.device
    }

    /// The key of the code in the store. An owner has one code: a new one replaces the old one.
    var key: [UInt8] { Digest256.of(identity) }

    func hash(of code: String, under hash: any KeyedHash) -> [UInt8] { hash.code(for: identity + Array(code.utf8)) }

    /// Each part has a length prefix, so that two different owners never have the same bytes.
    private var identity: [UInt8] {
        [Array(type.rawValue.utf8), Array(mobile.text.utf8), Array(client.utf8), device].flatMap { part in
            withLength(part)
        }
    }

    private func withLength(_ part: [UInt8]) -> [UInt8] {
        let count = UInt32(truncatingIfNeeded: part.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + part
    }
}
