import CForkCheck
import Foundation
import JWTCore
import JWTTestSupport
import Synchronization
import Testing

/// Servers fork after making their caches: a child can store and find tokens, even if another thread of its parent was writing.
struct VerifiedTokenCacheForkTests {
    nonisolated(unsafe) private static var cache: VerifiedTokenCache?
    private static let forge = Forges.of(.hs256)

    @Test
    func aForkedChildUsesTheCache() {
        let cache = VerifiedTokenCache(budget: 1 << 18, shards: 1)
        let isDone = Atomic(false), hasEnded = DispatchSemaphore(value: 0)
        unsafe Self.cache = cache
        Thread {
            // Always inserting or evicting, so most forks happen while a shard is being written.
            let verifier = Self.forge.verifier().caching(in: cache)
            let tokens = (0..<400).map { Self.forge.token(TokenForge.idToken.replacing("248289761001", with: "subject-\($0)")) }
            while !isDone.load(ordering: .relaxed) { for token in tokens { _ = verifier.verdict(token) } }
            hasEnded.signal()
        }.start()
        while cache.statistics.evictions < 100 { Thread.sleep(forTimeInterval: 0) }
        for _ in 0..<40 {
            let verdict = cfork_child_says {
                guard let cache = unsafe VerifiedTokenCacheForkTests.cache else { return 11 }
                let forge = VerifiedTokenCacheForkTests.forge, token = forge.token()
                let verifier = forge.verifier().caching(in: cache), hits = cache.statistics.hits
                for _ in 0..<3 { guard verifier.verdict(token) == "valid" else { return 12 } }
                guard cache.statistics.hits > hits else { return 13 }
                cache.removeAll()
                return cache.statistics.entries == 0 ? 10 : 14
            }
            #expect(verdict == 10)
        }
        isDone.store(true, ordering: .relaxed)
        hasEnded.wait()
        unsafe Self.cache = nil
    }
}
