import Gateway
import JWTCore
import Testing

/// The subject that an admission keeps for a log.
struct SubjectTests {
    private static func subject(_ facts: RequestFacts, _ requirement: Requirement = .provider("a"), keeps: Bool = true) async throws
        -> String?
    {
        let scene = try await Scene(
            Scene.configuration(requirement) {
                $0.keepsSubjects = keeps
                $0.providers[1].sources = [.header(name: "x-b", prefix: "")]
                $0.policies[0].shadow = "shadow"
                // A shadow is judged in the same memory afterwards.
                $0.policies.append(GatewayPolicy("shadow", requirement: .any([.provider("b"), .provider("a")])))
            })
        return scene.core.decideNow(facts, now: Scene.now).admission?.subject
    }

    @Test(
        arguments: [
            ("\"sub\":\"jane\"", "jane"), ("", nil), ("\"sub\":\"\"", nil), ("\"sub\":\"a\\nb\\u00e9\"", "a%0Ab%C3%A9"),
            ("\"sub\":\"\(String(repeating: "a", count: 300))\"", String(repeating: "a", count: 256)),
        ] as [(String, String?)])
    func anAdmissionHasTheSubjectOfItsToken(claims: String, subject: String?) async throws {
        #expect(try await Self.subject(Scene.bearer(Scene.token("a", claims))) == subject)
        #expect(try await Self.subject(Scene.bearer(Scene.token("a", claims)), keeps: false) == nil)
    }

    @Test func ofSeveralTokensTheFirstCounts() async throws {
        let facts = Scene.request([
            ("Authorization", "Bearer \(Scene.token("a", "\"sub\":\"a\""))"), ("x-b", Scene.token("b", "\"sub\":\"b\"")),
        ])
        #expect(try await Self.subject(facts, .all([.provider("b"), .provider("a")])) == "b")
    }

    /// The sender of a refused token may have written its claims.
    @Test func aRefusedTokenHasNone() async throws {
        let facts = Scene.bearer(Scene.token("a", "\"sub\":\"jane\",\"nbf\":1800000000"))
        #expect(try await Self.subject(facts, .any([.provider("a"), .allowFailed])) == nil)
        let scene = try await Scene(
            Scene.configuration {
                $0.keepsSubjects = true
                $0.policies[0].mode = .dryRun
                $0.policies[0].scopes = ["admin"]
            })
        for facts in [facts, Scene.bearer(Scene.token("a", "\"sub\":\"jane\""))] {
            let admission = try #require(scene.core.decideNow(facts, now: Scene.now).admission)
            #expect(admission.waived != nil && admission.subject == nil)
        }
    }
}
