import JWTCore
import Testing

struct SignatureAlgorithmTests {
    private static let named: [(SignatureAlgorithm, String)] = [
        (.rs256, "RS256"), (.rs384, "RS384"), (.rs512, "RS512"), (.ps256, "PS256"), (.ps384, "PS384"), (.ps512, "PS512"),
        (.es256, "ES256"), (.es384, "ES384"), (.es512, "ES512"), (.es256k, "ES256K"), (.edDSA, "EdDSA"), (.ed25519, "Ed25519"),
        (.ed448, "Ed448"), (.hs256, "HS256"), (.hs384, "HS384"), (.hs512, "HS512"), (.mlDSA44, "ML-DSA-44"), (.mlDSA65, "ML-DSA-65"),
        (.mlDSA87, "ML-DSA-87"),
    ]

    @Test(arguments: named)
    func everyConstantIsTheAlgorithmOfItsName(algorithm: SignatureAlgorithm, name: String) {
        #expect(algorithm.name == name)
        #expect(SignatureAlgorithm(name: name) == algorithm)
    }

    @Test func thereAreNoOthers() { #expect(SignatureAlgorithm.all == Self.named.map(\.0)) }

    /// A name in a program has no escapes.
    @Test(arguments: ["", "none", "rs256", "RS256 ", "RS25", "RS2567", #"RS25\u0036"#])
    func noOtherTextIsAName(text: String) { #expect(SignatureAlgorithm(name: text) == nil) }
}
