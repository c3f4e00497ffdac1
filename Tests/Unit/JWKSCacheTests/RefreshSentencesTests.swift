import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// What is printed of the cache's values, and what its errors say.
struct RefreshSentencesTests {
    @Test
    func everyEventIsASentenceAboutItsSource() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        await observed.refresh()
        await observed.refresh(KeyPool.set(1))
        observed.transport.answer(ObservedKeys.url, status: 500)
        await observed.refresh()
        let sentences = observed.log.all.map { "\($0)" }
        for (sentence, event) in zip(sentences, observed.log.all) {
            #expect(sentence.hasPrefix("\(ObservedKeys.url): "))
            #expect(sentence == "\(ObservedKeys.url): \(event.kind)")
        }
        for part in [
            "a fetch has begun (start)", #"new keys, generation 1: added "key-0", removed none"#, "the keys are unchanged",
            #"new keys, generation 2: added "key-1", removed "key-0""#, "the fetch failed: answered 500; the next is due in ",
        ] {
            #expect(sentences.contains { $0.contains(part) }, "\(part): \(sentences)")
        }
    }

    @Test(
        arguments: [
            (.confirmed, "the keys are unchanged"), (.overtaken, "the response came after that of a later fetch, and is ignored"),
            (.restored(age: .seconds(90)), "a stored set is used, 90 s old"),
            (.storedSetRefused("it is too old"), "the stored set is refused: it is too old"),
            (.expired, "the keys were too old and are dropped; tokens are refused until new keys arrive"),
            (.alarm(.keyReplaced(keyID: "a\nb")), #"alarm: the name "a\nb" now means another key"#),
            (.alarm(.privateKeyPublished(keyID: nil)), "alarm: the publisher published the private key without a name"),
            (.alarm(.secretPublished(keyID: "s")), #"alarm: the publisher published the shared secret "s""#),
            (.alarm(.duplicateKeyID("d")), #"alarm: several keys are called "d""#),
            (.alarm(.clockSkew(.seconds(-40))), "alarm: the source's clock is -40 s ahead of this machine's"),
        ] as [(RefreshEvent.Kind, String)])
    func aKindIsASentence(kind: RefreshEvent.Kind, sentence: String) {
        #expect("\(kind)" == sentence)
    }

    @Test
    func aLongKeyIDIsCut() {
        let kind = RefreshEvent.Kind.alarm(.duplicateKeyID(String(repeating: "x", count: 10_000)))
        #expect("\(kind)".count < 120)
    }

    // Errors

    @Test
    func keysThatAreThereWithoutThisOneAreToldFromNoKeys() async throws {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        observed.transport.hold()
        let verifier = TokenVerifier(keys: observed.keys, policy: KeyPool.policy)
        func error(_ verifier: TokenVerifier<RemoteKeySet>, _ token: String) -> VerificationError? {
            do throws(VerificationError) { _ = try verifier.verify(token, now: TokenForge.now) } catch { return error }
            return nil
        }
        let missing = try #require(error(verifier, KeyPool.token(1)))
        #expect(missing.code == .keysUnavailable)
        #expect(missing.reason == "there are keys, but not yet the one that the token names; a fetch may bring it")
        let empty = ObservedKeys(loading: .lazy)
        let none = try #require(error(TokenVerifier(keys: empty.keys, policy: KeyPool.policy), KeyPool.token(1)))
        #expect(none.code == .keysUnavailable)
        #expect(none.reason == nil)
        observed.transport.release()
    }

    @Test
    func aRefusalIsExplainedOverFetchedKeys() async throws {
        let federation = Federation(), name = Federation.name(0)
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0)]), token = Federation.token(0, name, audience: "other")
        #expect(await federation.loading(issuers, token) == "audience_mismatch")
        let error = VerificationError(.audienceMismatch, claim: .audience)
        let sentence = #"the policy expects "client-1"; it is for "other""#
        #expect(issuers.explanation(of: error, token: token, now: TokenForge.now).hasSuffix(sentence))
        #expect(RefreshingVerifier(issuers).explanation(of: error, token: token, now: TokenForge.now).hasSuffix(sentence))
        let unknown = Federation.token(0, "https://unknown.example")
        #expect(issuers.explanation(of: VerificationError(.issuerMismatch), token: unknown) == "\(VerificationError(.issuerMismatch))")
        #expect(issuers.explanation(of: VerificationError(.malformedToken), token: "junk") == "\(VerificationError(.malformedToken))")
    }

    // Secrets

    private static let planted = "planted-5ecret"

    @Test
    func noPlantedSecretIsPrinted() async {
        let planted = Self.planted, bytes = Array(planted.utf8)
        var policy = ClaimsPolicy(issuer: planted, audience: planted)
        policy.nonce = planted
        let observed = await ObservedKeys.loaded(KeyPool.document([TokenForge(.es256, keyID: planted).jwk]))
        let inline = KeySetSource.inline(#"{"keys":["\#(planted)"]}"#)
        var configuration = IssuerConfiguration("https://idp.example", source: inline, policy: policy)
        configuration.storage = KeySetStorage(path: "/nowhere", secret: bytes)
        let issuers = TrustedIssuers([configuration], transport: ScriptedTransport(), clock: ManualClock())
        let verifier = TokenVerifier(keys: observed.keys, policy: policy)
        let values: [any Sendable] = [
            observed.keys, observed.keys.status, RefreshingVerifier(keys: observed.keys, policy: policy).expecting(code: planted),
            OpportunisticBatcher(verifier), verifier, issuers, issuers.expecting(nonce: planted).expecting(accessToken: planted),
            RefreshingVerifier(issuers), configuration, KeySetStorage(path: "/nowhere", secret: bytes), inline,
            IssuerTemplate("https://idp.example/{tenant}", policy: policy),
            ReceivedResponse(status: 200, fields: [HeaderField("Set-Cookie", planted)], body: bytes),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped, "\([value])"] {
                #expect(!text.contains(planted) && !text.contains("112, 108, 97, 110"), "\(type(of: value)): \(text)")
            }
        }
    }
}
