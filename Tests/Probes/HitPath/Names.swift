import CInstructionCount
import Foundation
import JWTCore

/// A token with 1,500 names, in objects of a given size, that is refused for its last byte: both readers read all of it, and no signature
/// is needed.
final class HostileNames: Stepped {
    private let token: [UInt8]

    init(inObjectsOf count: Int) {
        let object = "{\((0..<count).map { "\"\(String($0, radix: 36))\":0" }.joined(separator: ","))}"
        let payload = "{\"a\":[\(Array(repeating: object, count: 1_500 / count).joined(separator: ","))]} 0"
        let parts = [#"{"alg":"ES256"}"#, payload].map { String(decoding: Base64URL.encode(Array($0.utf8)), as: UTF8.self) }
        token = Array("\(parts[0]).\(parts[1]).AA".utf8)
    }

    override func run() {
        do throws(VerificationError) {
            _ = try UnverifiedClaims(reading: token)
            isAccepted = true
        } catch {
            isAccepted = error.code != .invalidJSON
        }
    }

    /// Whether the cost of a name is similar in small and large objects. Comparing every pair of names would make large objects ten times
    /// as expensive.
    static func costTheSame() -> Bool {
        let few = HostileNames(inObjectsOf: 10), many = HostileNames(inObjectsOf: 250)
        guard let base = few.counts()?.ours.instructions, let count = many.counts()?.ours.instructions else { return true }
        print("1,500 names".padding(toLength: 20, withPad: " ", startingAt: 0) + String(format: "%12ld%12ld", count, base))
        guard !few.isAccepted, !many.isAccepted, count <= 3 * base else {
            print("FAIL 1,500 names: \(count) instructions in objects of 250, \(base) in objects of 10")
            return false
        }
        return true
    }
}
