import CForkCheck
import JWTCore
import JWTTestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Servers load their keys and fork: a child starts its own builder, because the recorded one exists only in its parent.
@Suite(.tierTurn)
struct KeyTablesForkTests {
    /// The keys of the parent, whose tables are being built while it forks.
    nonisolated(unsafe) private static var loaded: [KernelKey] = []
    nonisolated(unsafe) private static var sample: VerificationKey?

    @Test
    func aChildBuildsTablesThoughItWasForkedDuringABuild() throws {
        let key = Forges.es256.keySet.keys[0]
        unsafe Self.sample = key
        for _ in 0..<8 {
            unsafe Self.loaded = (0..<100).compactMap { _ in KernelKey(key, tables: .shared) }
            let verdict = cfork_child_says {
                guard let sample = unsafe KeyTablesForkTests.sample, let key = KernelKey(sample, tables: .shared) else { return 11 }
                while key.table == nil { sched_yield() }
                KeyTables.shared.prepare(key)
                return key.table?.isFull == true ? 10 : 12
            }
            #expect(verdict == 10)
        }
        unsafe Self.loaded = []
        unsafe Self.sample = nil
    }

    /// A fork between the moment at which the builder takes a request and the build would leave the child without that table.
    @Test
    func aChildLosesNoRequestOfItsParent() throws {
        let key = Forges.es256.keySet.keys[0]
        var verdicts: Set<Int32> = []
        _ = Self.builtTables()
        for place in 0..<50 {
            unsafe Self.loaded = (0..<100).compactMap { _ in KernelKey(key, tables: .shared) }
            // Forks while the builder works, each time after more tables.
            try #require(unsafe Self.hasTable(Self.loaded[2 * place]))
            verdicts.insert(cfork_child_says { KeyTablesForkTests.builtTables() })
        }
        #expect(verdicts == [10])
        unsafe Self.loaded = []
    }

    /// Builds all requested tables. The parent does so first: then no requests of other suites are left for a child, and it meets no type of
    /// Swift for the first time, for which the runtime takes a lock that a thread of another suite may have held at the fork.
    private static func builtTables() -> Int32 {
        KeyTables.shared.settle()
        return unsafe loaded.allSatisfy { $0.table != nil } ? 10 : 13
    }

    /// Waits for the builder, five minutes at most.
    private static func hasTable(_ key: KernelKey) -> Bool {
        let end = ContinuousClock.now + .seconds(300)
        while key.table == nil, ContinuousClock.now < end { sched_yield() }
        return key.table != nil
    }
}
