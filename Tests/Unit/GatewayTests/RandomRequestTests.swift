import Gateway
import JWKSCache
import Testing

/// Random requests with tokens in every place, beside a reader that takes a token wherever it finds one.
struct RandomRequestTests {
    private static let token = Scene.token("a", "\"sub\":\"a\\r\\nx: \\u00fc \"")

    /// `$` stands for a valid token.
    private static let authorization = [
        "Bearer $", "bearer x", "Basic $", "Bearer $, Bearer y", "Basic x, Bearer $", "Bearer", "", "  Bearer   $ ", "$", "BEARER $,",
    ]
    private static let cookies = [
        "session=$", "session=x; a=b", "a=$", "a=1;session=$; session=y", "session=", " session = $ ; b", "session=\"$\"", ";;",
        "Session=$",
    ]
    private static let header = ["$", "x", "$,y", "", " $"]
    private static let queries = [
        "access_token=$", "access%5Ftoken=y", "a=$", "access_token=", "access_token=$&access_token=$", "&a&access%5ftoken=$&", "b=1",
        "access_token", "%61ccess_token=$",
    ]

    private static func scene() async throws -> Scene {
        try await Scene(
            Scene.configuration {
                $0.providers[0].sources = [
                    .bearer, .cookie(name: "session"), .header(name: "x-token", prefix: ""), .query(name: "access_token"),
                ]
                $0.providers[0].forwardsToken = false
                $0.providers[0].claimHeaders = [ClaimHeader("x-sub", path: [.member("sub")])]
            })
    }

    @Test
    func onlyTheOneTokenOfARequestIsAccepted() async throws {
        let scene = try await Self.scene(), seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed), words: [String: Int] = [:], memory = DecisionMemory()
        for _ in 0..<4_000 {
            let request = Self.request(&random), decision = scene.core.decideNow(request, now: Scene.now), found = Self.tokens(in: request)
            words[decision.word, default: 0] += 1
            switch decision.word {
            case "allowed": #expect(found == [Self.token], "seed \(seed): \(request)")
            case "401 missing_token": #expect(found.isEmpty, "seed \(seed): \(request)")
            default: #expect(found != [Self.token] || decision.word == "400 several_tokens", "seed \(seed): \(request)")
            }
            if found.count > 1 { #expect(decision.word == "400 several_tokens", "seed \(seed): \(request)") }
            #expect(scene.core.explain(request, now: Scene.now).decision.word == decision.word)
            let copy = RequestMemory(request), verdict = scene.core.decide(copy.view, now: Scene.now, &memory)
            #expect(verdict.isAllowed == (decision.word == "allowed"), "seed \(seed): \(request)")
            #expect(verdict.reason.map { "\($0.status) \($0.code)" } ?? "allowed" == decision.word, "seed \(seed): \(request)")
            guard let admission = decision.admission else { continue }
            #expect(decision.field("x-sub") == "a%0D%0Ax: %C3%BC%20")
            let forwarded = Self.forwarded(request, admission)
            #expect(Self.tokens(in: forwarded).isEmpty, "seed \(seed): \(request)")
            let target = memory.target.map { String(decoding: memory.bytes[$0], as: UTF8.self) } ?? request.target
            #expect(Self.parameters(of: target) == Self.parameters(of: forwarded.target), "seed \(seed): \(request)")
        }
        for word in ["allowed", "401 missing_token", "400 several_tokens", "401 malformed_token"] { #expect(words[word, default: 0] > 50) }
    }

    private static func request(_ random: inout SeededGenerator) -> RequestFacts {
        var fields: [(String, String)] = []
        for (name, values) in [("Authorization", authorization), ("Cookie", cookies), ("X-Token", header)] {
            let count = [0, 0, 0, 1, 1, 2].randomElement(using: &random) ?? 0
            for _ in 0..<count { fields.append((name, values.randomElement(using: &random) ?? "")) }
        }
        let query = Bool.random(using: &random) ? queries.randomElement(using: &random) ?? "" : "c=d"
        fields.shuffle(using: &random)
        return Scene.request(fields.map { ($0.0, $0.1.replacing("$", with: token)) }, "/x?" + query.replacing("$", with: token))
    }

    /// What reaches the upstream.
    private static func forwarded(_ request: RequestFacts, _ admission: Admission) -> RequestFacts {
        var forwarded = request
        let replaced = Set(admission.fields.map(\.name) + admission.removed)
        forwarded.fields = request.fields.filter { !replaced.contains($0.name) } + admission.fields
        let kept = parameters(of: request.target).filter { !admission.removedParameters.contains(name(of: $0)) }
        forwarded.target = "/x?" + kept.joined(separator: "&")
        return forwarded
    }

    private static func parameters(of target: String) -> [Substring] { target.dropFirst("/x?".count).split(separator: "&") }

    private static func name(of parameter: Substring) -> String {
        String(parameter.prefix { $0 != "=" }).replacing("%5f", with: "_").replacing("%5F", with: "_").replacing("%61", with: "a")
    }

    /// Every text after a name, or after a scheme, that is not empty.
    private static func tokens(in request: RequestFacts) -> [String] {
        var tokens: [Substring] = []
        for field in request.fields {
            let value = Substring(field.value)
            switch field.name {
            case "authorization":
                for part in value.split(separator: ",").map(trimmed) where part.lowercased().hasPrefix("bearer ") {
                    tokens.append(trimmed(part.dropFirst("bearer ".count)))
                }
            case "cookie":
                for pair in value.split(separator: ";") where trimmed(pair.prefix { $0 != "=" }) == "session" {
                    tokens.append(trimmed(pair.drop { $0 != "=" }.dropFirst()).filter { $0 != "\"" }[...])
                }
            case "x-token": tokens += value.split(separator: ",").map(trimmed)
            default: break
            }
        }
        for parameter in parameters(of: request.target) where name(of: parameter) == "access_token" {
            tokens.append(parameter.drop { $0 != "=" }.dropFirst())
        }
        return tokens.filter { !$0.isEmpty }.map(String.init)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }
}
