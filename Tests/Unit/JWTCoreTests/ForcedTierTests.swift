import JWTCore
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// `ASSAY_ENGINE` takes effect. This matters when the tests run again under it (scripts/test.sh, engines), without those that force tiers.
struct ForcedTierTests {
    @Test
    func nothingIsActiveAboveTheTierThatTheEnvironmentWants() {
        let word = unsafe getenv("ASSAY_ENGINE").map { unsafe String(cString: $0) }
        #expect(Engine.tier <= EngineTier.wanted(by: word))
    }
}
