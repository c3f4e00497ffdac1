import Foundation
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// The life cycle of key tables: small, full, evicted. Each test has its own tables and decides when they are built.
@Suite(.tierTurn)
struct KeyTablesTests {
    private let message = Array("header.payload".utf8)

    private func key(_ tables: KeyTables, _ algorithm: SignatureAlgorithm = .es256) throws -> KernelKey {
        try #require(KernelKey(Forges.of(algorithm).keySet.keys[0], tables: tables))
    }

    private func use(_ key: KernelKey, times: Int, _ algorithm: SignatureAlgorithm = .es256) throws -> [Bool?] {
        let signature = try #require(Forges.of(algorithm).key.signature(of: message))
        return (0..<times).map { _ in key.verifies(algorithm, message: message.span, signature: signature.span) }
    }

    /// Bytes of a full ES256 table.
    private func fullBytes() throws -> Int {
        let tables = KeyTables(budget: 64 << 20, isInBackground: false)
        let key = try key(tables)
        tables.prepare(key)
        return withExtendedLifetime(key) { tables.usage.bytes }
    }

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .edDSA])
    func aKeyGetsASmallTableWhenLoadedAndAFullOneWhenUsed(algorithm: SignatureAlgorithm) throws {
        let tables = KeyTables(budget: 64 << 20, isInBackground: false)
        let key = try key(tables, algorithm)
        #expect(key.table == nil)
        #expect(try use(key, times: 1, algorithm) == [nil])
        tables.settle()
        #expect(key.table?.isFull == false)
        let small = tables.usage.bytes
        #expect(try use(key, times: KeyTables.fullAfter, algorithm).allSatisfy { $0 == true })
        tables.settle()
        #expect(key.table?.isFull == true)
        #expect(tables.usage.bytes > small)
        #expect(tables.usage.keys == 1)
        #expect(try use(key, times: 3, algorithm) == [true, true, true])
    }

    /// For the first verification to be by a kernel already.
    @Test(arguments: [false, true])
    func aKeyGetsAFullTableAtOnceWhereThatIsAsked(isEager: Bool) throws {
        let tables = KeyTables(budget: 64 << 20, isInBackground: false)
        tables.isEager = isEager
        #expect(try key(tables).table?.isFull == (isEager ? true : nil))
    }

    /// Up to and after the use that requests a full table.
    @Test
    func noVerificationWaitsForALockOfTheTables() throws {
        let tables = KeyTables(budget: 64 << 20, isInBackground: false), key = try key(tables), isDone = DispatchSemaphore(value: 0)
        let signature = try #require(Forges.es256.key.signature(of: message)), message = message
        tables.withLocksHeld {
            Thread {
                for _ in 0..<4 * KeyTables.fullAfter { _ = key.verifies(.es256, message: message.span, signature: signature.span) }
                isDone.signal()
            }.start()
            #expect(isDone.wait(timeout: .now() + 60) == .success)
        }
        tables.settle()
        #expect(key.table?.isFull == true)
    }

    @Test
    func tablesLeaveWithTheirKey() throws {
        let tables = KeyTables(budget: 64 << 20, isInBackground: false)
        do {
            let key = try key(tables)
            tables.settle()
            #expect(key.table != nil)
        }
        #expect(tables.usage == Engine.TableUsage(bytes: 0, keys: 0))
    }

    @Test
    func keysNeverTakeMoreThanTheBudgetTogether() throws {
        let one = KeyTables(budget: 64 << 20, isInBackground: false)
        let sample = try key(one)
        one.settle()
        let small = one.usage.bytes
        one.prepare(sample)
        let full = one.usage.bytes
        let tables = KeyTables(budget: 3 * full + small, isInBackground: false)
        let keys = try (0..<40).map { _ in try key(tables) }
        tables.settle()
        // Loading evicts nothing: a key loaded into a full budget gets its table only when it is used.
        #expect(tables.usage.bytes <= tables.budget)
        #expect(keys.contains { $0.table == nil })
        for key in keys {
            _ = try use(key, times: 2 * KeyTables.fullAfter)
            tables.settle()
            #expect(tables.usage.bytes <= tables.budget)
            #expect(key.table?.isFull == true)
        }
        #expect(keys.count { $0.table?.isFull == true } == 3)
    }

    @Test
    func tenThousandKeysStayWithinTheBudget() throws {
        let tables = KeyTables(budget: 2 << 20, isInBackground: false)
        let keys = try (0..<10_000).map { place in
            if place % 4000 == 0 { tables.settle() }
            return try key(tables)
        }
        tables.settle()
        #expect(tables.usage.bytes <= tables.budget)
        #expect(tables.usage.keys > 0 && tables.usage.keys < 1_000)
        for key in keys.suffix(200) {
            _ = try use(key, times: KeyTables.fullAfter)
            tables.settle()
            #expect(tables.usage.bytes <= tables.budget)
            #expect(key.table?.isFull == true)
        }
    }

    @Test
    func aBudgetThatIsLoweredTakesTablesAtOnce() throws {
        let full = try fullBytes()
        let tables = KeyTables(budget: 8 * full, isInBackground: false)
        let keys = try (0..<8).map { _ in try key(tables) }
        for key in keys { tables.prepare(key) }
        #expect(tables.usage == Engine.TableUsage(bytes: 8 * full, keys: 8))
        tables.budget = 3 * full
        #expect(tables.usage == Engine.TableUsage(bytes: 3 * full, keys: 3))
        #expect(keys.count { $0.table != nil } == 3)
        tables.budget = 0
        #expect(tables.usage == Engine.TableUsage(bytes: 0, keys: 0))
        #expect(try use(keys[0], times: 1) == [nil], "libcrypto judges it")
    }

    @Test
    func theLeastRecentlyUsedGivesWay() throws {
        let tables = KeyTables(budget: try 3 * fullBytes(), isInBackground: false)
        // Only the second of these keys is used while others are loaded and released.
        let keys = try (0..<3).map { _ in try key(tables) }
        for key in keys { tables.prepare(key) }
        let newcomers = try (0..<5).map { _ in try key(tables) }
        for newcomer in newcomers {
            _ = try use(keys[1], times: 1)
            tables.prepare(newcomer)
            #expect(keys[1].table?.isFull == true)
            #expect(newcomer.table?.isFull == true)
        }
        #expect(keys[0].table == nil && keys[2].table == nil)
        #expect(newcomers.count { $0.table != nil } == 2)
    }

    @Test
    func aKeyThatLostItsTableHasToBeUsedTwiceAsOften() throws {
        let tables = KeyTables(budget: try fullBytes(), isInBackground: false)
        let first = try key(tables), second = try key(tables)
        tables.settle()
        tables.prepare(first)
        tables.prepare(second)
        #expect(first.table == nil)
        _ = try use(first, times: KeyTables.fullAfter)
        tables.settle()
        #expect(first.table == nil)
        _ = try use(first, times: KeyTables.fullAfter)
        tables.settle()
        #expect(first.table?.isFull == true)
    }

    /// OpenSSL accepts keys of small order; the kernels leave them to OpenSSL.
    @Test
    func aKeyThatKernelsDoNotTakeStaysWithOpenSSL() throws {
        let identity = base64url([1] + [UInt8](repeating: 0, count: 31))
        let key = try KeySet(jwk: #"{"kty":"OKP","crv":"Ed25519","x":"\#(identity)"}"#.utf8.span).keys[0]
        #expect(key.unusableReason == nil)
        let tables = KeyTables(budget: 64 << 20, isInBackground: false)
        let kernelKey = try #require(KernelKey(key, tables: tables))
        tables.settle()
        tables.prepare(kernelKey)
        #expect(kernelKey.table == nil)
        #expect(tables.usage == Engine.TableUsage(bytes: 0, keys: 0))
    }

    @Test
    func onlyKeysThatKernelsKnowHaveTables() throws {
        let rsa = Forges.of(.rs256).members
        let strange = [
            jwk(rsa, ["e": "Aw", "alg": nil]), Forges.of(.es256k).jwk, Forges.hs256.jwk, Forges.of(.ed448).jwk,
        ]
        for text in strange {
            let keys = try KeySet(jwk: text.utf8.span)
            #expect(keys.keys[0].kernelKey == nil, "\(text)")
        }
        for algorithm in [.rs256, .ps512, .es256, .es384, .es512, .ed25519] as [SignatureAlgorithm] {
            #expect(Forges.of(algorithm).keySet.keys[0].kernelKey != nil)
        }
    }
}
