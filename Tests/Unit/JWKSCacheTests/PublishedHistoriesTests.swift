import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// Key sets as providers published them, one after another and in parallel.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct PublishedHistoriesTests {
    /// A set and the time of its publication, in seconds since the first.
    private struct Publication {
        let at: Duration
        let document: String
        let names: Set<String>
    }

    private static func googlesPublications() throws -> [Publication] {
        let lines = ConformanceFolder.bytes("jwks/rotation/google.jsonl").split(separator: 0x0a)
        let dated = try lines.map { line -> (date: Date, document: String, names: Set<String>) in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
            let date = try #require((object["date"] as? String).flatMap { ISO8601DateFormatter().date(from: $0) })
            let set = try #require(object["jwks"] as? [String: Any])
            let keys = try #require(set["keys"] as? [[String: Any]])
            let document = String(decoding: try JSONSerialization.data(withJSONObject: set), as: UTF8.self)
            return (date, document, Set(keys.compactMap { $0["kid"] as? String }))
        }
        return dated.map {
            Publication(at: .seconds(Int64($0.date.timeIntervalSince(dated[0].date))), document: $0.document, names: $0.names)
        }
    }

    /// Half a year of scheduled refreshes, each answered with the set published at that time.
    @Test
    func googlesRotationIsFollowed() throws {
        let publications = try Self.googlesPublications()
        let end = try #require(publications.last).at + .seconds(7_200)
        let driven = DrivenCore()
        var known: [String: VerificationKey] = [:]
        var fetches = 0
        while let order = driven.due(before: end) {
            let published = try #require(publications.last { $0.at <= driven.now })
            driven.answer(order, published.document, lifetime: .seconds(18_000))
            let keys = try #require(driven.core.keys).keys
            let current = Dictionary(uniqueKeysWithValues: keys.compactMap { key in key.keyID.map { ($0, key) } })
            #expect(Set(current.keys) == published.names)
            // Unchanged keys stay the same objects.
            #expect(current.allSatisfy { known[$0.key] == nil || known[$0.key] === $0.value })
            known = current
            fetches += 1
        }
        let changes = driven.events.compactMap(\.change)
        #expect(changes.count == 37)
        #expect(driven.core.state.generation == 37)
        // Each change adds or removes one key.
        #expect(changes.dropFirst().allSatisfy { $0.added.count + $0.removed.count == 1 && $0.replaced.isEmpty })
        #expect(Set(driven.words) == ["started: start", "started: schedule", "installed", "confirmed"])
        #expect(fetches > 3_300 && fetches < 5_000)
    }

    @Test
    func aKeyThatGoogleRemovedVerifiesNothing() async throws {
        let publications = try Self.googlesPublications()
        let forge = TokenForge(.rs256, keyID: nil)
        let observed = await ObservedKeys.loaded(publications[0].document)
        for (before, after) in zip(publications, publications.dropFirst()) {
            await observed.refresh(after.document)
            let set = try observed.keys.snapshot()
            let verifier = TokenVerifier(keys: set, policy: KeyPool.policy)
            for name in before.names.union(after.names) {
                let verdict = verifier.verdict(forge.token(header: "{\"alg\":\"RS256\",\"kid\":\"\(name)\"}"))
                #expect(verdict == (after.names.contains(name) ? "signature_invalid" : "unknown_key"))
            }
        }
    }

    // Several issuers

    @Test
    func wellKnownSetsAndMetadataLoad() throws {
        let names = ConformanceFolder.names("jwks/wellknown")
        for name in names {
            let driven = DrivenCore()
            let document = String(decoding: ConformanceFolder.bytes("jwks/wellknown/\(name)/jwks.json"), as: UTF8.self)
            #expect(try driven.fetch(document) == ["installed"], "\(name)")
            #expect(try driven.fetch(document) == ["confirmed"], "\(name)")

            let metadata = ConformanceFolder.bytes("jwks/wellknown/\(name)/openid-configuration.json")
            let object = try #require(try JSONSerialization.jsonObject(with: Data(metadata)) as? [String: Any])
            let issuer = try #require(object["issuer"] as? String)
            #expect(try IssuerMetadata(metadata, of: issuer).keysURL == object["jwks_uri"] as? String)
            #expect(throws: RefreshFailure.issuerMismatch) { try IssuerMetadata(metadata, of: issuer + "/") }
        }
        #expect(names.count == 10)
    }

    /// Its metadata names a template, which is not a tenant's issuer.
    @Test(arguments: ["common", "organizations", "72f988bf-86f1-41af-91ab-2d7cd011db47", "{tenant}", "%7Btenantid%7D"])
    func entrasTemplateIsNobodysIssuer(tenant: String) {
        let metadata = ConformanceFolder.bytes("jwks/wellknown/entra-common/openid-configuration.json")
        #expect(throws: RefreshFailure.issuerMismatch) {
            try IssuerMetadata(metadata, of: "https://login.microsoftonline.com/\(tenant)/v2.0")
        }
    }

    @Test
    func healthIssuersKeepTheirKeysApart() async throws {
        let federation = Federation()
        let issuers = try ConformanceFolder.bytes("jwks/vci/issuers.jsonl").split(separator: 0x0a).map {
            line -> (name: String, keys: [String]) in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
            let keys = try #require(object["keys"] as? [[String: Any]])
            let name = try #require(object["iss"] as? String)
            federation.transport.answer("\(name)/.well-known/jwks.json", String(decoding: line, as: UTF8.self))
            return (name, keys.compactMap { $0["kid"] as? String })
        }
        let trusted = federation.trusting(
            issuers.map { issuer in
                var configuration = IssuerConfiguration(
                    issuer.name, source: .jwks(url: "\(issuer.name)/.well-known/jwks.json"), policy: .lenient)
                configuration.isRequired = true
                return configuration
            })
        #expect(await settles { federation.log.ends == 334 })
        // One publishes no key, and the only key of another has an x of 31 octets.
        #expect(trusted.keySets.count(where: \.isReady) == 332)
        for (place, issuer) in issuers.enumerated() where trusted.keySets[place].isReady {
            let stranger = issuers[(place + 1) % issuers.count]
            #expect(issuer.keys.allSatisfy { trusted.verdict(Self.token(issuer.name, $0)) == "signature_invalid" }, "\(issuer.name)")
            // The probe caused by a foreign key id may have ended already.
            let foreign = stranger.keys.filter { !issuer.keys.contains($0) }.map { trusted.verdict(Self.token(issuer.name, $0)) }
            #expect(foreign.allSatisfy { ["keys_unavailable", "unknown_key"].contains($0) }, "\(issuer.name)")
        }
    }

    private static func token(_ issuer: String, _ keyID: String) -> String {
        let header = "{\"alg\":\"ES256\",\"kid\":\(JSONText.quoted(keyID))}"
        return KeyPool.forges[0].token(header: header, payload: Federation.payload(issuer))
    }

    /// As in the table, except for shared secrets, which a published set never has, and repeated keys.
    @Test
    func setsHoldTheUsableKeysOfTheTable() throws {
        let rows = String(decoding: ConformanceFolder.bytes("jwks/expected-strict.tsv"), as: UTF8.self).split(separator: "\n").dropFirst()
        var sets = 0
        for row in rows.map({ $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }) {
            let bytes = ConformanceFolder.bytes(row[0])
            let published = try? KeyDocument(bytes, .jwks, reusing: nil).keys.keys
            guard let published, let usable = Int(row[2]), let strict = try? KeySet(jwks: bytes.span).keys else { continue }
            let secrets = strict.count { key in
                key.type == .oct && key.unusableReason == nil && key.algorithms.algorithms.contains { key.bits >= 8 * $0.row.secretLength }
            }
            let others = strict.filter { $0.type != .oct && Self.isUsable($0) }
            let twice = others.count - Set(others.map(\.identity)).count
            #expect(published.count(where: Self.isUsable) == usable - secrets - twice, "\(row[0])")
            #expect(
                published.allSatisfy { $0.type != .oct || $0.unusableReason == .invalidKey && $0.advisories.contains(.publishedSecret) },
                "\(row[0])")
            sets += 1
        }
        #expect(sets > 40)
    }

    /// Treats ML-DSA as supported by libcrypto.
    private static func isUsable(_ key: VerificationKey) -> Bool {
        key.unusableReason == nil || key.unusableReason == .unsupportedAlgorithm && key.type == .akp
    }
}

extension DrivenCore {
    /// Advances the time to the next fetch; nil if that is not before `end`.
    fileprivate func due(before end: Duration) -> FetchOrder? {
        while now < end {
            if let order = tick() { return order }
            now = max(core.state.nextTick, now)
        }
        return nil
    }
}
