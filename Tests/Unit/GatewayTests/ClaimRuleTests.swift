import Gateway
import JWTCore
import Testing

/// What the claims of an accepted token must be.
struct ClaimRuleTests {
    private static func scene(_ rules: ClaimRule..., requirement: Requirement = .provider("a")) async throws -> Scene {
        try await Scene(Scene.configuration(requirement) { $0.policies[0].claimRules = rules })
    }

    private static func isAllowed(_ claims: String, _ scene: Scene) -> Bool {
        let verdict = scene.verdict(Scene.bearer(Scene.token("a", claims)))
        #expect(["allowed", "403 claim_mismatch"].contains(verdict), "\(claims)")
        return verdict == "allowed"
    }

    @Test(
        arguments: [
            // Any of several values, and all of them.
            (.anyOf(["a", "b"]), "\"a\"", true), (.anyOf(["a", "b"]), "[\"c\",\"b\"]", true), (.anyOf(["a"]), "\"\\u0061\"", true),
            (.anyOf(["a", "b"]), "\"c\"", false), (.anyOf(["a", "b"]), "[]", false), (.anyOf(["a", "b"]), "[[\"a\"]]", false),
            (.anyOf(["a", "b"]), "\"A\"", false), (.anyOf(["a", "b"]), "\"a b\"", false), (.anyOf(["a"]), "{\"a\":\"a\"}", false),
            (.anyOf(["a"]), "\"a\\u0000\"", false), (.anyOf(["\u{e9}"]), "\"\u{65}\u{301}\"", false), (.anyOf([""]), "\"\"", true),
            (.anyOf([""]), "null", false), (.anyOf(["null"]), "null", false), (.anyOf(["2"]), "2", true), (.anyOf(["2"]), "2.0", false),
            (.anyOf(["2"]), "[1,2]", true), (.anyOf(["true"]), "true", true), (.anyOf(["true"]), "\"true\"", true),
            (.anyOf(["[]"]), "[]", false), (.anyOf(["{}"]), "{}", false),
            (.allOf(["a", "b"]), "[\"b\",\"x\",\"a\"]", true), (.allOf(["a", "b"]), "[\"a\"]", false),
            (.allOf(["a", "b"]), "\"a\"", false),
            (.allOf(["a"]), "\"a\"", true), (.allOf(["a"]), "[]", false),
            // One value, which no array has.
            (.equals("a"), "\"a\"", true), (.equals("a"), "[\"a\"]", false), (.equals("true"), "true", true),
            (.equals("true"), "false", false),
            // A beginning.
            (.prefix("svc:"), "\"svc:a\"", true), (.prefix("svc:"), "\"svc:\"", true), (.prefix("svc:"), "\"sv\"", false),
            (.prefix("svc:"), "\" svc:a\"", false), (.prefix("svc:"), "[\"x\",\"svc:a\"]", true), (.prefix("1"), "12", false),
            (.prefix("a/"), "\"\\u0061\\/b\"", true),
            // A mail domain.
            (.mailDomain(["x.example"]), "\"jane@x.example\"", true), (.mailDomain(["X.Example"]), "\"jane@x.EXAMPLE\"", true),
            (.mailDomain(["y.example", "x.example"]), "\"jane@x.example\"", true),
            (.mailDomain(["x.example"]), "\"jane@y.x.example\"", false),
            (.mailDomain(["x.example"]), "\"jane@evilx.example\"", false), (.mailDomain(["x.example"]), "\"jane@x.example.evil\"", false),
            (.mailDomain(["x.example"]), "\"jane@evil@x.example\"", false), (.mailDomain(["x.example"]), "\"jane@x.example@evil\"", false),
            (.mailDomain(["x.example"]), "\"@x.example\"", false), (.mailDomain(["x.example"]), "\"x.example\"", false),
            (.mailDomain(["x.example"]), "\"jane@x.example \"", false), (.mailDomain(["x.example"]), "\"jane@x.example\\u0000\"", false),
            (.mailDomain(["x.example"]), "\"jane@x.example.\"", false), (.mailDomain(["x.example"]), "[\"jane@x.example\"]", false),
            (.mailDomain(["x.example"]), "\"jane\\u0040x.example\"", true), (.mailDomain(["x.example"]), "\"jane@\"", false),
            (.mailDomain(["kx.example"]), "\"jane@\u{212a}x.example\"", false),
            // Presence.
            (.present, "\"\"", true), (.present, "false", true), (.present, "[]", true), (.present, "null", false),
            // Numbers.
            (.number(atLeast: 2, atMost: nil), "2", true), (.number(atLeast: 2, atMost: nil), "1.999999999", false),
            (.number(atLeast: 2, atMost: nil), "2.0", true), (.number(atLeast: 2, atMost: nil), "20e-1", true),
            (.number(atLeast: 2, atMost: nil), "\"2\"", false), (.number(atLeast: 2, atMost: nil), "[2]", false),
            (.number(atLeast: 2, atMost: nil), "1e300", false), (.number(atLeast: nil, atMost: 2), "2.000000001", false),
            (.number(atLeast: nil, atMost: 2), "-1e300", false), (.number(atLeast: nil, atMost: 2), "-5", true),
            (.number(atLeast: -1, atMost: 1), "-1", true), (.number(atLeast: -1, atMost: 1), "-1.5", false),
            (.number(atLeast: -1, atMost: 1), "true", false),
        ] as [(ClaimRule.Condition, String, Bool)])
    func aClaimMeetsItsRuleOrNot(condition: ClaimRule.Condition, claim: String, expected: Bool) async throws {
        let scene = try await Self.scene(ClaimRule([.member("c")], condition))
        #expect(Self.isAllowed("\"c\":\(claim)", scene) == expected)
    }

    @Test(
        arguments: [
            .anyOf(["a", ""]), .allOf(["a"]), .equals("a"), .prefix("a"), .mailDomain(["a"]), .present, .number(atLeast: nil, atMost: 2),
        ] as [ClaimRule.Condition])
    func anAbsentClaimBreaksEveryRule(condition: ClaimRule.Condition) async throws {
        let scene = try await Self.scene(ClaimRule([.member("c")], condition))
        for claims in ["", "\"C\":\"a\"", "\"d\":{\"c\":\"a\"}"] { #expect(!Self.isAllowed(claims, scene), "\(claims)") }
    }

    @Test(arguments: [
        ("/c", "\"c\":\"a\"", true), ("/c/1", "\"c\":[\"b\",\"a\"]", true), ("/c/1", "\"c\":{\"1\":\"a\"}", true),
        ("/c/01", "\"c\":[\"b\",\"a\"]", false), ("/c/-", "\"c\":[\"a\"]", false), ("/c/", "\"c\":{\"\":\"a\"}", true),
        ("/~01/b~1c", "\"~1\":{\"b/c\":\"a\"}", true), ("/c/0/d", "\"c\":[{\"d\":\"a\"}]", true), ("/c/2", "\"c\":[\"a\"]", false),
        ("/c/\u{301}d", "\"c\":{\"\u{301}d\":\"a\"}", true), ("/c/99999999999999999999", "\"c\":[\"a\"]", false),
        ("/c/+1", "\"c\":[\"b\",\"a\"]", false),
    ])
    func aPointerLeadsToAClaim(pointer: String, claims: String, expected: Bool) async throws {
        let steps = try #require([ClaimStep](pointer: pointer))
        let scene = try await Self.scene(ClaimRule(steps, .equals("a")))
        #expect(Self.isAllowed(claims, scene) == expected)
    }

    @Test(arguments: ["", "c", "c/d", "/a~", "/a~2", "/~"])
    func aTextThatIsNoPointerHasNoSteps(text: String) { #expect([ClaimStep](pointer: text) == nil) }

    @Test
    func everyRuleMustHold() async throws {
        let scene = try await Self.scene(
            ClaimRule([.member("c")], .equals("a")), ClaimRule([.member("d"), .position(0)], .equals("b")))
        #expect(Self.isAllowed("\"c\":\"a\",\"d\":[\"b\"]", scene))
        #expect(!Self.isAllowed("\"c\":\"a\",\"d\":\"b\"", scene))
        #expect(!Self.isAllowed("\"d\":[\"b\"]", scene))
    }

    @Test
    func aRuleOfOneProviderIsForItsTokensAlone() async throws {
        let scene = try await Self.scene(
            ClaimRule([.member("c")], .equals("a"), provider: "a"), requirement: .any([.provider("a"), .provider("b")]))
        #expect(scene.verdict(Scene.bearer(Scene.token("a"))) == "403 claim_mismatch")
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"c\":\"a\""))) == "allowed")
        #expect(scene.verdict(Scene.bearer(Scene.token("b"))) == "allowed")
    }

    @Test
    func aScopeComesBeforeARuleAndDryRunWaivesBoth() async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.policies[0].scopes = ["read"]
                $0.policies[0].claimRules = [ClaimRule([.member("c")], .equals("a"))]
            })
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "403 insufficient_scope")
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"scope\":\"read\""))) == "403 claim_mismatch")
        let waiving = try await Scene(
            Scene.configuration {
                $0.policies[0].mode = .dryRun
                $0.policies[0].claimRules = [ClaimRule([.member("c")], .equals("a"))]
            })
        #expect(waiving.verdict(Scene.bearer(Scene.token())) == "waived claim_mismatch")
    }

    @Test
    func aRefusalSaysNoScopeAndItsExplanationTheRule() async throws {
        let scene = try await Self.scene(ClaimRule([.member("iss")], .present), ClaimRule([.member("c")], .present))
        let request = Scene.bearer(Scene.token())
        let denial = scene.core.decideNow(request, now: Scene.now).denial
        #expect(
            denial?.challenge
                == "Bearer error=\"insufficient_scope\", error_description=\"a claim does not have the value that is required\"")
        let explanation = scene.core.explain(request, now: Scene.now)
        #expect(explanation.attempts.map(\.code) == ["claim_mismatch"])
        #expect(explanation.attempts.map(\.rule) == [1])
        #expect(explanation.description.contains("code=claim_mismatch source=authorization rule=2"))
    }

    @Test
    func aRememberedTokenIsJudgedAgain() async throws {
        let cache = VerifiedTokenCache(budget: 1_000_000)
        let scene = try await Scene(
            Scene.configuration { $0.policies[0].claimRules = [ClaimRule([.member("c")], .equals("a"))] }, cache: cache)
        for _ in 0..<3 {
            #expect(!Self.isAllowed("\"c\":\"b\"", scene))
            #expect(Self.isAllowed("\"c\":\"a\"", scene))
        }
    }

    @Test(arguments: [
        (ClaimRule([], .present), ".path: empty_claim_path"), (ClaimRule([.position(-1)], .present), ".path: empty_claim_path"),
        (ClaimRule([.member("c")], .present, provider: "b"), ".provider: rule_without_provider"),
        (ClaimRule([.member("c")], .anyOf([])), ": empty_rule"), (ClaimRule([.member("c")], .allOf([])), ": empty_rule"),
        (ClaimRule([.member("c")], .mailDomain([])), ": empty_rule"), (ClaimRule([.member("c")], .prefix("")), ": empty_rule"),
        (ClaimRule([.member("c")], .number(atLeast: nil, atMost: nil)), ": empty_rule"),
        (ClaimRule([.member("c")], .number(atLeast: 2, atMost: 1)), ": empty_rule"),
        (ClaimRule([.member("c")], .number(atLeast: 253_402_300_800, atMost: nil)), ": empty_rule"),
        (ClaimRule([.member("c")], .anyOf((0..<257).map(String.init))), ": rule_too_large"),
        (ClaimRule([.member("c")], .mailDomain(["a@b"])), ": invalid_mail_domain"),
        (ClaimRule([.member("c")], .mailDomain(["a", "*.b"])), ": invalid_mail_domain"),
        (ClaimRule([.member("c")], .mailDomain([".b"])), ": invalid_mail_domain"),
    ])
    func aRuleThatEveryOrNoClaimMeetsIsAFault(rule: ClaimRule, expected: String) {
        let configuration = Scene.configuration { $0.policies[0].claimRules = [ClaimRule([.member("iss")], .present), rule] }
        var found: ConfigurationFault?
        do throws(ConfigurationFault) { try configuration.check() } catch { found = error }
        #expect(found.map { "\($0.setting): \($0.code.rawValue)" } == "policies[0].claimRules[1]\(expected)")
    }

    @Test
    func rulesNeedATokenAndHaveALimit() {
        let rule = ClaimRule([.member("c")], .present)
        for (requirement, count, code) in [
            (nil, 1, ConfigurationFault.Code.ruleWithoutToken), (.any([.provider("a"), .allowMissing]), 1, .ruleWithoutToken),
            (.any([.provider("a"), .allowFailed]), 1, .ruleWithoutToken), (.provider("a"), 65, .ruleTooLarge),
        ] as [(Requirement?, Int, ConfigurationFault.Code)] {
            let configuration = Scene.configuration(requirement) { $0.policies[0].claimRules = Array(repeating: rule, count: count) }
            var found: ConfigurationFault.Code?
            do throws(ConfigurationFault) { try configuration.check() } catch { found = error.code }
            #expect(found == code)
        }
    }
}
