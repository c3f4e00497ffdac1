import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import ReplayMemory

/// A ``Scene`` whose first provider introspects its opaque tokens at `https://a.example/introspect`.
struct IntrospectionScene {
    static let endpoint = "https://a.example/introspect"
    static let opaque = "2YotnFZFEjr1zCsicMWpAA"

    let scene: Scene
    private let folder: TemporaryFolder

    init(
        _ requirement: Requirement? = .provider("a"), answering answer: String? = active(), replays: (any ReplayMemory)? = nil,
        _ change: (inout GatewayConfiguration) -> Void = { _ in }, terms: (inout IntrospectionTerms) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        var introspection = IntrospectionTerms(clientID: "gateway", secretFile: try folder.write("secret", "s3cret/+ %\n"))
        introspection.endpoint = Self.endpoint
        terms(&introspection)
        let configuration = Scene.configuration(requirement) {
            $0.providers[0].introspection = introspection
            change(&$0)
        }
        scene = try await Scene(configuration, replays: replays)
        if let answer { self.answer(answer) }
    }

    /// The answer about an active token of issuer `a`, as RFC 7662 has it.
    static func active(_ more: String = "", issuer: String = "https://a.example", audience: String = "api", exp: Int = 1_700_003_600)
        -> String
    {
        #"{"active":true,"iss":"\#(issuer)","aud":"\#(audience)","exp":\#(exp),"sub":"u1","scope":"read write"\#(more)}"#
    }

    static let inactive = #"{"active":false}"#

    func answer(_ document: String, type: String = "application/json") {
        scene.transport.answer(Self.endpoint, document, fields: [HeaderField("Content-Type", type)])
    }

    /// The verdict at the time of the scene's clock.
    func verdict(_ token: String = opaque) async -> String { await scene.core.decide(Scene.bearer(token)).word }

    func verdictNow(_ token: String = opaque) -> String { scene.core.decideNow(Scene.bearer(token)).word }

    /// The questions so far.
    var questions: [OutgoingRequest] { scene.transport.requests.filter { $0.url == Self.endpoint } }

    var status: IntrospectionStatus? { scene.core.introspections.first?.status }
}
