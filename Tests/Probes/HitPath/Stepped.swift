import CInstructionCount
import JWKSCache
import JWTCore
import JWTTestSupport

/// An operation that is single-stepped.
class Stepped {
    var isAccepted = false

    func run() {}

    /// The instructions of one call, after the thread's one-time setup; nil where this machine cannot count them.
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

    /// The addresses of our atomics and system calls, for `llvm-symbolizer --obj=.build/release/hit-path-probe`.
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

/// One verification, repeatable. A separate class for each source, so that the compiler specialises it as in a caller.
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

/// The same with keys that a refresher replaces.
final class RemoteVerification: Stepped {
    private let hit: Hit<RemoteKeySet>

    init(_ hit: Hit<RemoteKeySet>) { self.hit = hit }

    override func run() { isAccepted = hit.isAccepted }
}

/// The same, routed by the token's issuer.
final class RoutedVerification: Stepped {
    private let hit: RoutedHit

    init(_ hit: RoutedHit) { self.hit = hit }

    override func run() { isAccepted = hit.isAccepted }
}

/// A server holds its issuers for as long as it runs; the probe leaks them, so that it counts no reference of its own.
@safe
struct RoutedHit {
    private let issuers: Unmanaged<TrustedIssuers>
    private let token: [UInt8]

    init(issuers: TrustedIssuers, token: [UInt8]) {
        unsafe self.issuers = .passRetained(issuers)
        self.token = token
    }

    var isAccepted: Bool {
        unsafe issuers._withUnsafeGuaranteedRef { issuers in
            do throws(VerificationError) {
                return try issuers.withVerified(token.span, now: TokenForge.now) { _ in true }
            } catch {
                return false
            }
        }
    }
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
