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

/// One verification, as often as it is asked for.
final class Verification<Keys: KeySource>: Stepped {
    private let hit: Hit<Keys>

    init(_ verifier: TokenVerifier<Keys>, _ token: [UInt8]) { hit = Hit(verifier: verifier, token: token) }

    override func run() { isAccepted = hit.isAccepted }
}

private struct Hit<Keys: KeySource> {
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
