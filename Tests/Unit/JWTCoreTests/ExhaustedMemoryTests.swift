#if os(Linux)
import CForkCheck
import Glibc
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// Memory that is exhausted refuses the token, and does nothing else: no kernels are taken for faulty.
@Suite(.serialized, .tierTurn) struct ExhaustedMemoryTests {
    nonisolated(unsafe) private static var token: [UInt8] = []
    nonisolated(unsafe) private static var verifier = Forges.ed25519.verifier()

    @Test func aTokenForWhichThereIsNoMemoryIsRefusedAsTooLarge() {
        var limits = TokenLimits.standard
        limits.tokenBytes = 1 << 30
        unsafe Self.verifier = Forges.ed25519.verifier(limits: limits)
        let header = base64url(#"{"alg":"EdDSA"}"#.utf8)
        unsafe Self.token = Array("\(header).\(String(repeating: "A", count: 64 << 20)).AAAA".utf8)
        let verdict = cfork_child_says {
            guard ExhaustedMemoryTests.leaveMemory(ofBytes: 16 << 20) else { return 11 }
            let code = unsafe ExhaustedMemoryTests.refusal(of: ExhaustedMemoryTests.token)
            return code == .tokenTooLarge ? 10 : 12
        }
        #expect(verdict == 10)
        unsafe Self.token = []
    }

    /// The only self-test that allocates. Both families are tested as soon as there is memory.
    @Test(arguments: [KernelFamily.ed25519Tables, .ed25519IFMA])
    func aSelfTestWithoutMemoryIsRunAnotherTime(family: KernelFamily) {
        var whole = Engine.Choice(wanted: .ifma)
        guard whole.first(of: [family]) == family else { return }
        unsafe Self.family = family
        let verdict = cfork_child_says {
            let family = unsafe ExhaustedMemoryTests.family
            var choice = Engine.Choice(wanted: .ifma)
            guard ExhaustedMemoryTests.leaveMemory(ofBytes: 0) else { return 11 }
            let taken = unsafe ExhaustedMemoryTests.takeBlocks(ofBytes: 64 << 10)
            guard choice.first(of: [family]) == nil, choice.states[family] == nil, choice.faulty().isEmpty,
                choice.bits(without: 0) & family.bit == 0
            else { return 12 }
            unsafe ExhaustedMemoryTests.giveBack(taken)
            return choice.first(of: [family]) == family && choice.states[family] == .active ? 10 : 13
        }
        #expect(verdict == 10)
    }

    /// libcrypto then refuses every signature. The kernel was right, and stays.
    @Test(arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .es384, .es512, .edDSA])
    func aLibcryptoWithoutMemoryContradictsNoKernel(algorithm: SignatureAlgorithm) throws {
        let key = Forges.of(algorithm).keySet.keys[0], kernelKey = try #require(key.kernelKey), message = Array("header.payload".utf8)
        KeyTables.shared.prepare(kernelKey)
        let signature = try #require(Forges.of(algorithm).key.signature(of: message))
        guard let verdict = kernelKey.verdict(algorithm, message: message.span, signature: signature.span) else { return }
        #expect(verdict.isGood)
        unsafe Self.judge = { SignatureEngine.verify(algorithm, key: key, message: message.span, signature: signature.span) }
        let outcome = cfork_child_says {
            Engine.shadowInterval = 1
            let before = Engine.shadowCounts.contradicted
            // libcrypto keeps what it makes at its first use.
            guard unsafe ExhaustedMemoryTests.judge(), ExhaustedMemoryTests.leaveMemory(ofBytes: 0) else { return 11 }
            let taken = unsafe ExhaustedMemoryTests.takeAll(), isAccepted = unsafe ExhaustedMemoryTests.judge()
            unsafe ExhaustedMemoryTests.giveBack(taken)
            guard !isAccepted, Engine.shadowCounts.contradicted == before, Engine.faulty.isEmpty else { return isAccepted ? 12 : 13 }
            return unsafe ExhaustedMemoryTests.judge() ? 10 : 14
        }
        #expect(outcome == 10)
    }

    private nonisolated(unsafe) static var judge: () -> Bool = { false }
    private nonisolated(unsafe) static var family = KernelFamily.ed25519Tables

    /// Takes all memory that this thread can get.
    ///
    /// - Returns: the last block, in which the address of the one before stands.
    private static func takeAll() -> UnsafeMutableRawPointer? {
        var last = unsafe takeBlocks(ofBytes: 64 << 10)
        // The heap keeps a list of free blocks for each multiple of sixteen.
        for bytes in stride(from: 4_096, through: 16, by: -16) { unsafe last = takeBlocks(ofBytes: bytes, after: last) }
        return unsafe last
    }

    /// Takes memory until there is no block of this size left, with the same result.
    private static func takeBlocks(ofBytes bytes: Int, after first: UnsafeMutableRawPointer? = nil) -> UnsafeMutableRawPointer? {
        var last = unsafe first
        while let block = unsafe malloc(bytes) {
            unsafe block.storeBytes(of: last, as: UnsafeMutableRawPointer?.self)
            unsafe last = block
        }
        return unsafe last
    }

    private static func giveBack(_ last: UnsafeMutableRawPointer?) {
        var next = unsafe last
        while let block = unsafe next {
            unsafe next = block.load(as: UnsafeMutableRawPointer?.self)
            unsafe free(block)
        }
    }

    private static func refusal(of token: [UInt8]) -> VerificationError.Code? {
        do throws(VerificationError) { _ = try unsafe verifier.verify(token, now: TokenForge.now) } catch { return error.code }
        return nil
    }

    /// Forbids this process to have so much more memory than it has.
    private static func leaveMemory(ofBytes bytes: UInt) -> Bool {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return false }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard unsafe fgets(&line, 64, file) != nil else { return false }
        let most = unsafe strtoul(line, nil, 10) * UInt(sysconf(Int32(_SC_PAGESIZE))) + bytes
        var limit = rlimit(rlim_cur: most, rlim_max: most)
        return unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0
    }
}
#endif
