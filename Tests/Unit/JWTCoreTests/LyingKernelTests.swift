import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// Kernels that lie: the key has the table of another key, so its kernel refuses the key's signatures and accepts those of the other.
/// Shadow mode must overrule each family, and switch it off.
@Suite(.tierTurn)
struct LyingKernelTests {
    struct Case: Sendable, CustomStringConvertible {
        let family: KernelFamily
        let algorithm: SignatureAlgorithm
        /// Faster families for the same keys.
        let before: Set<KernelFamily>

        var description: String { "\(family)" }

        init(_ family: KernelFamily, _ algorithm: SignatureAlgorithm, after before: Set<KernelFamily> = []) {
            self.family = family
            self.algorithm = algorithm
            self.before = before
        }
    }

    /// Every family that this machine runs.
    private static let cases: [Case] = [
        Case(.p256IFMA, .es256), Case(.p256Tables, .es256, after: [.p256IFMA]),
        Case(.p384IFMA, .es384), Case(.p384Tables, .es384, after: [.p384IFMA]),
        Case(.p521IFMA, .es512), Case(.p521Tables, .es512, after: [.p521IFMA]),
        Case(.ed25519IFMA, .edDSA), Case(.ed25519Tables, .edDSA, after: [.ed25519IFMA]),
        Case(.rsaIFMA, .rs256), Case(.rsaIFMA256, .rs256, after: [.rsaIFMA]), Case(.rsaAVX512F, .rs256, after: [.rsaIFMA, .rsaIFMA256]),
        Case(.rsaAVX2, .rs256, after: [.rsaIFMA, .rsaIFMA256, .rsaAVX512F]),
        Case(.rsaScalar, .rs256, after: [.rsaIFMA, .rsaIFMA256, .rsaAVX512F, .rsaAVX2]),
    ].filter { state(of: $0.family) == .active }

    private static let message = Array("header.payload".utf8)

    private static func state(of family: KernelFamily) -> Engine.KernelState? { Engine.kernels.first { $0.family == family }?.state }

    /// Runs `body` with a key whose kernel lies, the key's forge, and the forge of the key whose table it has.
    private static func withLie(_ lie: Case, _ body: (VerificationKey, _ forge: TokenForge, _ other: TokenForge) throws -> Void) throws {
        Engine.failSelfTests(of: lie.before)
        defer {
            Engine.shadowInterval = 0
            Engine.trustAgain()
        }
        let forge = TokenForge(lie.algorithm), other = Forges.of(lie.algorithm)
        let key = forge.keySet.keys[0], kernelKey = try #require(key.kernelKey)
        KeyTables.shared.prepare(kernelKey, asIf: try #require(other.keySet.keys[0].kernelKey))
        #expect(kernelKey.table?.family == lie.family)
        try body(key, forge, other)
    }

    private static func verifies(_ lie: Case, _ key: VerificationKey, _ signature: [UInt8]) -> Bool {
        SignatureEngine.verify(lie.algorithm, key: key, message: message.span, signature: signature.span)
    }

    @Test
    func everyFamilyOfKeysIsLiedAbout() {
        Engine.force(nil)
        let active = Set(Engine.kernels.filter { $0.state == .active && $0.family != .sha2 }.map(\.family))
        #expect(Set(Self.cases.map(\.family)) == active)
    }

    @Test(arguments: cases, [true, false])
    func aSingleLieIsOverruledAndSwitchesTheFamilyOff(lie: Case, refuses: Bool) throws {
        try Self.withLie(lie) { key, forge, other in
            let signature = try #require((refuses ? forge : other).key.signature(of: Self.message))
            let judge = lie.family.single
            guard Self.state(of: judge) == .active else { return }
            #expect(Self.verifies(lie, key, signature) == !refuses, "without shadow mode the kernel's word counts")
            let before = Engine.shadowCounts
            Engine.shadowInterval = 1
            #expect(Self.verifies(lie, key, signature) == refuses)
            #expect(Engine.shadowCounts.contradicted == before.contradicted + 1)
            #expect(Self.state(of: judge) == .contradicted)
            Engine.shadowInterval = 0
            #expect(Self.verifies(lie, key, signature) == refuses, "nothing lies any more")
            Engine.force(nil)
            #expect(Self.state(of: judge) == .contradicted, "another choice does not bring it back")
        }
    }

    /// The key loses its table between the verdict and libcrypto's.
    @Test(arguments: cases)
    func aFamilyWhoseTableIsGoneIsSwitchedOff(lie: Case) throws {
        try Self.withLie(lie) { key, forge, other in
            let judge = lie.family.single, tables = KeyTables(budget: 64 << 20, isInBackground: false)
            guard Self.state(of: judge) == .active else { return }
            let liar = try #require(KernelKey(key, tables: tables))
            tables.prepare(liar, asIf: try #require(other.keySet.keys[0].kernelKey))
            let signature = try #require(forge.key.signature(of: Self.message))
            let verdict = try #require(liar.verdict(lie.algorithm, message: Self.message.span, signature: signature.span) as KernelVerdict?)
            tables.budget = 0
            #expect(liar.table == nil && verdict.family == lie.family && !verdict.isGood)
            Engine.shadowInterval = 1
            #expect(Engine.settled(verdict.isGood, by: verdict.family.single) { true })
            #expect(Self.state(of: judge) == .contradicted)
        }
    }

    @Test(arguments: cases.filter { $0.family.lanes > 1 })
    func lyingLanesAreOverruledAndSwitchedOff(lie: Case) throws {
        try Self.withLie(lie) { key, forge, _ in
            let verifier = TokenVerifier(keys: try KeySet([key]), policy: .lenient)
            let tokens = (0..<16).map { _ in forge.token() }
            func accepted() -> Int { verifier.verify(batch: tokens, now: TokenForge.now).count { (try? $0.get()) != nil } }
            #expect(accepted() == 0, "without shadow mode the kernel's word counts")
            let before = Engine.shadowCounts
            Engine.shadowInterval = 1
            #expect(accepted() == 16)
            #expect(Engine.shadowCounts.contradicted > before.contradicted)
            #expect(Self.state(of: lie.family) == .contradicted && Self.state(of: .sha2) != .active)
            Engine.shadowInterval = 0
            #expect(accepted() == 16, "nothing lies any more")
        }
    }

    /// Signatures without a token around each, as those of DPoP proofs: half of them valid, in all lanes.
    @Test(arguments: cases)
    func liesAboutDeferredSignaturesAreOverruled(lie: Case) throws {
        try Self.withLie(lie) { key, forge, other in
            let good = try #require(forge.key.signature(of: Self.message)), bad = try #require(other.key.signature(of: Self.message))
            guard lie.family.lanes > 1 || Self.state(of: lie.family.single) == .active else { return }
            var deferred = DeferredSignatures()
            for place in 0..<32 {
                let signature = place % 2 == 0 ? good : bad
                _ = deferred.append(lie.algorithm, key: key, message: Self.message.span, signature: signature.span)
            }
            let right = (0..<32).map { $0 % 2 == 0 }
            #expect(deferred.verdicts() == right.map(!), "without shadow mode the kernel's word counts")
            let before = Engine.shadowCounts
            Engine.shadowInterval = 1
            #expect(deferred.verdicts() == right)
            #expect(Engine.shadowCounts.contradicted > before.contradicted)
            #expect(Self.state(of: lie.family.lanes > 1 ? lie.family : lie.family.single) == .contradicted)
            Engine.shadowInterval = 0
            #expect(deferred.verdicts() == right, "nothing lies any more")
        }
    }

    @Test
    func theBitsThatVerificationsReadLackDistrustedFamilies() {
        var choice = Engine.Choice(wanted: .tables)
        let family = KernelFamily.p256Tables
        #expect(choice.first(of: [family]) == family)
        let bits = choice.bits(without: 0)
        #expect(bits & family.bit != 0 && choice.bits(without: family.bit) == bits & ~family.bit)
    }
}
