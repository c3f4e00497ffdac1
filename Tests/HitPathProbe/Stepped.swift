import CInstructionCount
import JWTCore
import JWTTestSupport

/// Something that is stepped through.
class Stepped {
    var isAccepted = false

    func run() {}

    /// What one call executes, once whatever a thread does only once is behind it; nil where this machine cannot tell.
    final func counts() -> cinstruction_counts? {
        for _ in 0..<8 { run() }
        var counts = cinstruction_counts()
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let works = unsafe cinstruction_count(
            &counts,
            { context in
                guard let context = unsafe context else { return }
                // SAFETY: `self` lives until cinstruction_count returns. A retain here would be counted.
                unsafe Unmanaged<Stepped>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run() }
            }, context)
        return works == 1 ? counts : nil
    }

    /// Where our atomics and system calls were, as addresses that `llvm-symbolizer --obj=.build/release/hit-path-probe` explains.
    static func places(_ counts: cinstruction_counts) -> [String] {
        var symbols: [String] = []
        var counts = counts
        let count = Int(counts.places_count)
        unsafe withUnsafeBytes(of: &counts.places) { bytes in
            for ordinal in 0..<count {
                let address = unsafe bytes.load(fromByteOffset: 8 * ordinal, as: UInt64.self)
                symbols.append("0x\(String(address, radix: 16))")
            }
        }
        return symbols
    }
}

/// One verification, as often as it is asked for. Of a class for each source, so that the compiler knows it as a caller would.
final class OwnVerification: Stepped {
    private let hit: Hit<KeySet>

    init(_ hit: Hit<KeySet>) { self.hit = hit }

    override func run() { isAccepted = hit.isAccepted }
}

/// The same with keys from a source of another module.
final class ForeignVerification: Stepped {
    private let hit: Hit<ForeignSource>

    init(_ hit: Hit<ForeignSource>) { self.hit = hit }

    override func run() { isAccepted = hit.isAccepted }
}

struct Hit<Keys: KeySource> {
    let verifier: TokenVerifier<Keys>
    let token: [UInt8]

    var isAccepted: Bool {
        do throws(VerificationError) {
            return try verifier.withVerified(token.span, now: TokenForge.now) { _ in true }
        } catch {
            return false
        }
    }
}
