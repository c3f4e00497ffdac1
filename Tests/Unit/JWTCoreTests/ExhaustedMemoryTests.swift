#if os(Linux)
import CForkCheck
import Glibc
import JWTCore
import JWTTestSupport
import Testing

/// Memory that is exhausted refuses the token, and does nothing else.
@Suite(.serialized) struct ExhaustedMemoryTests {
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
