import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// When two documents are the same set, and which keys are reused in the next set.
struct CarriedKeysTests {
    /// Documents equal in meaning to `KeyPool.set(0, 1)`; nil: a 304.
    static let sameSets: [(String?, [HeaderField])] = [
        (nil, []), (KeyPool.set(0, 1), []), (KeyPool.set(0, 1), [HeaderField("ETag", "\"2\"")]), (KeyPool.set(1, 0), []),
        (KeyPool.set(0, 1).replacing(",", " ,\n\t"), []),
        (
            KeyPool.document([reversed(KeyPool.forges[0].jwk), reversed(KeyPool.forges[1].jwk)]),
            [HeaderField("Cache-Control", "max-age=900")]
        ),
        (KeyPool.set(0, 1, 0, 0), []), ("{\"other\":1,\"keys\":[\(KeyPool.forges[0].jwk),\(KeyPool.forges[1].jwk)]}", []),
        (KeyPool.set(0, 1).replacing("\"kid\"", "\"x5t\":\"AAAA\",\"kid\""), []),
    ]

    @Test(arguments: sameSets.indices)
    func anUnchangedSetKeepsItsNumberAndItsKeys(index: Int) async throws {
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 1), fields: [HeaderField("ETag", "\"1\"")])
        let set = try observed.keys.snapshot()
        observed.clock.advance(by: .seconds(100))
        let (document, fields) = Self.sameSets[index]
        if let document { observed.transport.answer(ObservedKeys.url, document, fields: fields) }
        if document == nil { observed.transport.answer(ObservedKeys.url, status: 304) }
        #expect(await observed.refresh() == ["started: request", "confirmed"])
        #expect(observed.transport.requests.map(\.entityTag) == [nil, "\"1\""])
        #expect(observed.keys.generation == 1)
        #expect(try observed.keys.snapshot() === set)
        #expect(observed.keys.status.age == .zero)
    }

    @Test
    func aNotModifiedNobodyAskedForIsAFailure() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        observed.transport.answer(ObservedKeys.url, status: 304, fields: [HeaderField("ETag", "\"1\"")])
        #expect(await observed.refresh() == ["started: request", "failed: unexpected_not_modified"])
    }

    @Test
    func aChangedSetCarriesUnchangedKeysOver() async throws {
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 1, 2))
        let before = observed.keys.status.keys
        #expect(await observed.refresh(KeyPool.set(3, 2, 1)) == ["started: request", "installed"])
        let after = observed.keys.status.keys
        #expect(after.map(\.keyID) == ["key-3", "key-2", "key-1"])
        #expect(after[1] === before[2])
        #expect(after[2] === before[1])
        #expect(observed.keys.generation == 2)
        #expect((0..<4).map { observed.verdict(KeyPool.token($0)) } == ["keys_unavailable", "valid", "valid", "valid"])
        let change = try #require(observed.log.all.compactMap(\.kind.change).last)
        #expect((change.added, change.removed, change.replaced) == (["key-3"], ["key-0"], []))
        #expect(abs(change.churn - 1 / 3) < 1e-9)
    }

    /// A key with a changed use is another key of the same material.
    @Test(arguments: [
        ("\"alg\":\"ES256\",", ""), ("\"use\":\"sig\",", ""), ("\"use\":\"sig\"", "\"key_ops\":[\"verify\"]"), ("key-0", "key-zero"),
    ])
    func aKeyWithOtherFactsIsAnotherKey(old: String, new: String) async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 1))
        let before = observed.keys.status.keys
        #expect(
            await observed.refresh(KeyPool.document([KeyPool.forges[0].jwk.replacing(old, new), KeyPool.forges[1].jwk])).last == "installed"
        )
        #expect(observed.keys.generation == 2)
        #expect(observed.keys.status.keys[0] !== before[0])
        #expect(observed.keys.status.keys[1] === before[1])
    }

    @Test
    func aSetMayComeBack() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        for round in 1...3 {
            await observed.refresh(KeyPool.set(1))
            #expect(observed.verdict(KeyPool.token(1)) == "valid")
            await observed.refresh(KeyPool.set(0))
            #expect(observed.verdict(KeyPool.token(0)) == "valid")
            #expect(observed.keys.generation == UInt64(2 * round + 1))
        }
    }

    // One name, several keys

    @Test
    func oneKeyTwiceIsOneKey() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 0, 0))
        #expect(observed.keys.status.keys.count == 1)
        #expect(observed.log.words == ["started: start", "installed"])
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
    }

    @Test
    func twoKeysOfOneNameAreBothTriedAndToldOf() async {
        let twin = TokenForge(.es256, keyID: "key-0")
        let observed = await ObservedKeys.loaded(KeyPool.document([KeyPool.forges[0].jwk, twin.jwk]))
        #expect(observed.log.words == ["started: start", "installed", "alarm: duplicate_key_id"])
        #expect(observed.keys.status.keys.count == 2)
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        #expect(observed.verdict(twin.token()) == "valid")
        #expect(observed.verdict(TokenForge(.es256, keyID: "key-0").token()) == "signature_invalid")
    }

    @Test
    func anotherKeyUnderTheSameNameReplacesTheOld() async throws {
        let twin = TokenForge(.es256, keyID: "key-0")
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 1))
        #expect(
            await observed.refresh(KeyPool.document([twin.jwk, KeyPool.forges[1].jwk])) == [
                "started: request", "installed", "alarm: key_replaced",
            ])
        #expect(observed.keys.generation == 2)
        #expect(observed.verdict(KeyPool.token(0)) == "signature_invalid")
        #expect(observed.verdict(twin.token()) == "valid")
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
        #expect(observed.log.all.compactMap(\.kind.change).last?.replaced == ["key-0"])
    }

    /// A provider that adds `alg` to an existing key has not replaced it.
    @Test
    func theSameMaterialUnderTheSameNameIsNoReplacement() async {
        let terse = KeyPool.forges[0].jwk.replacing("\"alg\":\"ES256\",", "")
        let observed = await ObservedKeys.loaded(KeyPool.document([terse]))
        #expect(await observed.refresh(KeyPool.set(0)) == ["started: request", "installed"])
        #expect(observed.log.all.compactMap(\.kind.change).last?.churn == 0)
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
    }

    /// The members of a JWK in another order.
    private static func reversed(_ jwk: String) -> String {
        "{\(jwk.dropFirst().dropLast().split(separator: ",").reversed().joined(separator: " , "))}"
    }
}
