import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// A server that takes any verifier, and the verifiers that it can be given.
struct TokenVerifyingTests {
    /// What a server knows of its verifier.
    private struct Server {
        let verifier: any TokenVerifying

        func greeting(_ token: String) async -> String {
            do throws(VerificationError) {
                return "hello \(try await verifier.verify(token).subject ?? "")"
            } catch {
                return "\(error.code.httpStatus) \(error.code.name)"
            }
        }

        func greeting(_ token: [UInt8]) async -> String {
            do throws(VerificationError) {
                return "hello \(try await verifier.verify(token).subject ?? "")"
            } catch {
                return "\(error.code.httpStatus) \(error.code.name)"
            }
        }
    }

    private static let issuer = "https://idp.example"

    private static func verifiers(_ clock: ManualClock) async -> [any TokenVerifying] {
        let transport = ScriptedTransport()
        transport.answer("\(issuer)/jwks", KeyPool.set(0))
        let configuration = IssuerConfiguration(issuer, source: .jwks(url: "\(issuer)/jwks"), policy: KeyPool.policy)
        let issuers = TrustedIssuers([configuration], transport: transport, clock: clock, date: clock)
        _ = await issuers.keys(of: issuer)?.refresh(within: .seconds(60))
        let keys = RemoteKeySet(.jwks(url: "\(issuer)/jwks"), transport: transport, loading: .lazy, clock: clock)
        let pinned = TokenVerifier(keys: KeyPool.forges[0].keySet, policy: KeyPool.policy, clock: clock)
        return [
            pinned, OpportunisticBatcher(pinned), issuers, RefreshingVerifier(issuers),
            RefreshingVerifier(keys: keys, policy: KeyPool.policy, clock: clock),
        ]
    }

    @Test
    func aServerTakesEveryVerifierAndGetsItsVerdicts() async {
        let clock = ManualClock()
        let verifiers = await Self.verifiers(clock)
        #expect(verifiers.count == 5)
        for verifier in verifiers {
            let server = Server(verifier: verifier), name = "\(type(of: verifier))"
            #expect(await server.greeting(KeyPool.token(0)) == "hello 248289761001", "\(name)")
            #expect(await server.greeting(Array(KeyPool.token(0).utf8)) == "hello 248289761001", "\(name)")
            #expect(await server.greeting("junk") == "401 malformed_token", "\(name)")
            let forged = TokenForge(.es256, keyID: "key-0").token()
            #expect(await server.greeting(forged) == "401 signature_invalid", "\(name)")
        }
    }

    /// The verdict follows the clock that the test has given the verifier.
    @Test
    func theTestSetsTheTime() async {
        let clock = ManualClock()
        let verifiers = await Self.verifiers(clock)
        clock.setDate(1_700_010_000)
        for verifier in verifiers {
            #expect(await Server(verifier: verifier).greeting(KeyPool.token(0)) == "401 expired", "\(type(of: verifier))")
        }
    }
}
