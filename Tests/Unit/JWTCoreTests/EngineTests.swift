import CJWTKernels
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// The tiers of the engine. Forcing one changes no verdict of other tests.
@Suite(.tierTurn)
struct EngineTests {
    /// An algorithm of every kernel, and one that has no kernel.
    private static let algorithms: [SignatureAlgorithm] = [
        .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .edDSA, .ed25519, .es512, .es256k,
    ]

    private static let supported = EngineTier.allCases.filter { tier in
        defer { Engine.force(nil) }
        return Engine.force(tier) == tier
    }

    @Test
    func tablesRunEverywhereAndVectorsWhereTheProcessorHasThem() {
        let vectors: [(EngineTier, Int32)] = [
            (.avx2, cjwt_avx2_available()), (.avx512f, cjwt_avx512f_available()), (.avxifma, cjwt_ifma256_available()),
            (.ifma, cjwt_ifma_available()),
        ]
        #expect(Self.supported == [.openssl, .tables] + vectors.filter { $0.1 == 1 }.map(\.0))
    }

    @Test
    func everyKernelGivesTheKnownAnswersHere() {
        Engine.force(nil)
        for kernel in Engine.kernels { #expect(kernel.state == .active || kernel.state == .unsupported, "\(kernel)") }
    }

    @Test(arguments: supported)
    func everyTierSaysTheSameOfEveryBitAndNoneAboveItJudges(tier: EngineTier) throws {
        Engine.force(tier)
        defer { Engine.force(nil) }
        for algorithm in Self.algorithms {
            let forge = Forges.of(algorithm), keys = forge.keySet, key = try #require(keys.keys.first)
            keys.prepare()
            let table = key.kernelKey?.table
            #expect(table.map { $0.family.tier <= tier } ?? true)
            let message = Array("header.payload".utf8), signature = try #require(forge.key.signature(of: message))
            let verdict = key.kernelKey?.verifies(algorithm, message: message.span, signature: signature.span)
            #expect(verdict == (table == nil ? nil : true), "\(algorithm) by \(tier)")
            for bit in stride(from: -1, to: 8 * signature.count, by: 7) {
                var changed = signature
                if bit >= 0 { changed[bit / 8] ^= 1 << UInt8(bit % 8) }
                let verdict = SignatureEngine.verify(algorithm, key: key, message: message.span, signature: changed.span)
                #expect(verdict == (bit < 0), "\(algorithm) by \(tier), bit \(bit)")
            }
        }
    }

    /// No kernel reads a signature of another length than its own.
    @Test(arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .es384, .es512, .edDSA])
    func aBatchLeavesSignaturesOfOtherLengthsToLibcrypto(algorithm: SignatureAlgorithm) throws {
        let forge = Forges.of(algorithm), keys = forge.keySet, key = try #require(keys.keys.first)
        keys.prepare()
        let message = Array("header.payload".utf8), good = try #require(forge.key.signature(of: message))
        // A kernel judges signatures that are alike, if there are enough of them.
        let others: [[UInt8]] = [Array(good.dropLast()), good + [0], []].flatMap { Array(repeating: $0, count: 8) }
        let signatures = others + Array(repeating: good, count: 16)
        let verdicts = SignatureEngine.verify(algorithm, key: key, batch: signatures.map { (message, $0) })
        let hasLanes = key.kernelKey?.table.map { $0.family.lanes > 1 } ?? false
        #expect(verdicts == Array(repeating: nil, count: 24) + Array(repeating: hasLanes ? true : nil, count: 16))
    }

    /// Batches of every size up to two runs of all lanes, each with a forged signature.
    @Test(arguments: supported)
    func everyTierJudgesBatchesOfEverySize(tier: EngineTier) throws {
        Engine.force(tier)
        defer { Engine.force(nil) }
        for algorithm in [.rs256, .rs512, .ps256, .es256, .edDSA] as [SignatureAlgorithm] {
            let forge = Forges.of(algorithm), keys = forge.keySet, key = try #require(keys.keys.first)
            keys.prepare()
            let family = key.kernelKey?.table?.family, lanes = family?.lanes ?? 1
            let message = Array("header.payload".utf8), good = try #require(forge.key.signature(of: message))
            for count in 1...17 {
                var signatures = Array(repeating: good, count: count)
                signatures[count / 2][count] ^= 1
                let verdicts = SignatureEngine.verify(algorithm, key: key, batch: signatures.map { (message, $0) })
                let isLeft = count % lanes < family?.leastLanes ?? 0
                #expect(verdicts.count { $0 != nil } == (lanes == 1 ? 0 : count - (isLeft ? count % lanes : 0)))
                for (place, verdict) in verdicts.enumerated() { #expect(verdict == nil || verdict == (place != count / 2)) }
            }
        }
    }

    /// A key waits for the self-tests of its own kind only: a family below the one in use is not tested.
    @Test(arguments: [
        [KernelFamily.p256IFMA, .p256Tables], [.p521IFMA, .p521Tables], [.ed25519IFMA, .ed25519Tables], [.rsaIFMA, .rsaScalar],
    ])
    func onlyTheFamiliesOfAKeyAreTested(families: [KernelFamily]) {
        var choice = Engine.Choice(wanted: .ifma)
        #expect(choice.states.isEmpty)
        let tested = choice.first(of: families).flatMap { families.firstIndex(of: $0) } ?? families.count - 1
        #expect(Set(choice.states.keys) == Set(families.prefix(tested + 1) + [.sha2]))
    }

    /// Single tokens go to the scalar kernel, so the lanes' first key waits for both.
    @Test
    func lanesThatLeaveSingleTokensHaveTheirCompanionTested() {
        var choice = Engine.Choice(wanted: .avx512f)
        guard choice.first(of: [.rsaAVX512F, .rsaAVX2]) != nil else { return }
        #expect(choice.states[.rsaScalar] != nil)
    }

    @Test
    func theTierIsFoundWithOneFamily() {
        defer { Engine.force(nil) }
        var choice = Engine.Choice(wanted: .ifma)
        let tier = choice.tier()
        let active = choice.states.filter { $0.value == .active }.map(\.key)
        #expect(active.count == 1 && active.first?.tier == tier && active.first?.tier == Engine.force(.ifma))
    }

    @Test
    func faultyFamiliesAreKnownWithoutASelfTest() {
        var choice = Engine.Choice(wanted: .tables, failing: [.p256Tables, .p384Tables])
        #expect(choice.faulty().isEmpty && choice.states.isEmpty)
        #expect(choice.first(of: [.p256Tables]) == nil)
        #expect(choice.faulty() == [.p256Tables])
    }

    @Test(arguments: [EngineTier.openssl, .tables])
    func aFamilyAboveTheTierIsNotTested(tier: EngineTier) {
        var choice = Engine.Choice(wanted: tier, failing: [.p256IFMA])
        let family = choice.first(of: [.p256IFMA, .p256Tables])
        #expect(family == (tier == .openssl ? nil : .p256Tables))
        #expect(choice.states[.p256IFMA] == .notWanted)
    }

    @Test
    func aFailedSelfTestStepsDownATierAndSaysSo() throws {
        let lanes: Set<KernelFamily> = [.rsaIFMA, .rsaIFMA256, .rsaAVX512F, .rsaAVX2]
        Engine.failSelfTests(of: lanes.union([.p256IFMA, .p384IFMA, .p521IFMA, .ed25519IFMA, .p384Tables]))
        defer { Engine.failSelfTests(of: []) }
        let states = Dictionary(uniqueKeysWithValues: Engine.kernels.map { ($0.family, $0.state) })
        #expect(states[.p384Tables] == .failedSelfTest)
        #expect(states[.p256IFMA] == .failedSelfTest || states[.p256IFMA] == .unsupported)
        #expect(Engine.tier == .tables)
        var families: [SignatureAlgorithm: KernelFamily] = [.es256: .p256Tables, .es512: .p521Tables, .edDSA: .ed25519Tables]
        if cjwt_rsa_scalar_pays(256) == 1 { families[.rs256] = .rsaScalar }
        for algorithm in [.es256, .edDSA, .es384, .es512, .rs256] as [SignatureAlgorithm] {
            let keys = Forges.of(algorithm).keySet
            keys.prepare()
            #expect(keys.keys[0].kernelKey?.table?.family == families[algorithm])
            #expect(TokenVerifier(keys: keys, policy: .lenient).verdict(Forges.of(algorithm).token()) == "valid")
        }
    }

    @Test
    func whereTheScalarKernelFailsItsSelfTestLibcryptoJudgesRSA() {
        Engine.failSelfTests(of: [.rsaIFMA, .rsaIFMA256, .rsaAVX512F, .rsaAVX2, .rsaScalar])
        defer { Engine.failSelfTests(of: []) }
        let forge = Forges.of(.rs256), keys = forge.keySet
        keys.prepare()
        #expect(keys.keys[0].kernelKey?.table == nil)
        #expect(TokenVerifier(keys: keys, policy: .lenient).verdict(forge.token()) == "valid")
    }

    /// The lanes of the next tier judge batches; single tokens go to the scalar kernel, or to libcrypto.
    @Test(arguments: [false, true])
    func whereIFMAFailsItsSelfTestOtherLanesJudgeRSA(scalarFails: Bool) throws {
        defer { Engine.failSelfTests(of: []) }
        var failing: Set<KernelFamily> = scalarFails ? [.rsaIFMA, .rsaScalar] : [.rsaIFMA]
        let message = Array("header.payload".utf8), signature = try #require(Forges.rs256.key.signature(of: message))
        let all: [(KernelFamily, Int32)] = [
            (.rsaIFMA256, cjwt_ifma256_available()), (.rsaAVX512F, cjwt_avx512f_available()), (.rsaAVX2, cjwt_avx2_available()),
        ]
        for (family, isAvailable) in all {
            Engine.failSelfTests(of: failing)
            failing.insert(family)
            guard isAvailable == 1 else { continue }
            let keys = Forges.rs256.keySet, key = try #require(keys.keys[0].kernelKey)
            keys.prepare()
            #expect(key.table?.family == family)
            let verdict = key.verifies(.rs256, message: message.span, signature: signature.span)
            #expect(verdict == (cjwt_rsa_scalar_pays(256) == 1 && !scalarFails ? true : nil))
            #expect(TokenVerifier(keys: keys, policy: .lenient).verdict(Forges.rs256.token()) == "valid")
            let verdicts = SignatureEngine.verify(.rs256, key: keys.keys[0], batch: Array(repeating: (message, signature), count: 4))
            #expect(verdicts == [true, true, true, true])
        }
    }

    @Test
    func shadowModeComparesAndCounts() throws {
        let before = Engine.shadowCounts
        Engine.shadowInterval = 1
        defer { Engine.shadowInterval = 0 }
        let keys = Forges.es256.keySet
        keys.prepare()
        let signature = try #require(Forges.es256.key.signature(of: [7]))
        for _ in 0..<10 {
            let good = SignatureEngine.verify(.es256, key: keys.keys[0], message: [7].span, signature: signature.span)
            let bad = SignatureEngine.verify(.es256, key: keys.keys[0], message: [8].span, signature: signature.span)
            #expect(good && !bad)
        }
        #expect(Engine.shadowCounts.compared >= before.compared + 20)
        #expect(Engine.shadowCounts.contradicted == before.contradicted)
    }

    /// A kernel with a wrong verdict: it is counted and overruled.
    @Test(arguments: [true, false])
    func inShadowModeOpenSSLStandsAgainstAKernelThatErrs(verdict: Bool) {
        defer { Engine.trustAgain() }
        let before = Engine.shadowCounts
        #expect(Engine.settled(verdict, by: .p256Tables) { !verdict } == verdict, "without shadow mode the second engine is not asked")
        Engine.shadowInterval = 1
        defer { Engine.shadowInterval = 0 }
        #expect(Engine.settled(verdict, by: .p256Tables) { !verdict } == !verdict)
        #expect(Engine.shadowCounts.contradicted == before.contradicted + 1)
    }

    /// Fails closed, and no kernel is taken for faulty.
    @Test(arguments: [true, false])
    func inShadowModeAnOpenSSLWithoutAnAnswerRefuses(verdict: Bool) {
        let before = Engine.shadowCounts
        Engine.shadowInterval = 1
        defer { Engine.shadowInterval = 0 }
        #expect(!Engine.settled(verdict, by: .p256Tables) { nil })
        #expect(Engine.shadowCounts == before)
        #expect(Engine.kernels.contains { $0.family == .p256Tables && $0.state == .active })
    }

    /// The same for batches, which have a code path of their own.
    @Test(arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .edDSA])
    func shadowModeComparesTheSignaturesOfBatches(algorithm: SignatureAlgorithm) {
        let forge = Forges.of(algorithm)
        let verifier = TokenVerifier(keys: forge.keySet, policy: .lenient)
        verifier.keys.prepare()
        let before = Engine.shadowCounts
        Engine.shadowInterval = 1
        defer { Engine.shadowInterval = 0 }
        let verdicts = verifier.verify(batch: (0..<16).map { _ in forge.token() }, now: TokenForge.now)
        #expect(verdicts.allSatisfy { (try? $0.get()) != nil })
        let isPrepared = verifier.keys.keys[0].kernelKey?.table != nil
        #expect(Engine.shadowCounts.compared >= before.compared + (isPrepared ? 16 : 0))
        #expect(Engine.shadowCounts.contradicted == before.contradicted)
    }

    /// The variable exists to limit the kernels: a typing error gives the lowest tier.
    @Test(
        arguments: [
            (nil, EngineTier.ifma), ("", .ifma), ("auto", .ifma), ("ifma", .ifma), ("avxifma", .avxifma), ("avx512f", .avx512f),
            ("avx2", .avx2), ("tables", .tables),
            ("openssl", .openssl), ("opensll", .openssl), ("AUTO", .openssl), ("IFMA ", .openssl),
        ] as [(String?, EngineTier)])
    func anUnknownWordInTheEnvironmentIsTakenForOpenSSL(word: String?, tier: EngineTier) { #expect(EngineTier.wanted(by: word) == tier) }

    @Test
    func namesAreExact() {
        for tier in EngineTier.allCases { #expect(EngineTier(name: tier.name) == tier) }
        for name in ["auto", "", "IFMA", "openss\u{17f}"] { #expect(EngineTier(name: name) == nil) }
    }
}
