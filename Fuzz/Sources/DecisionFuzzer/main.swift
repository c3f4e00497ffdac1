import FuzzInput
import Gateway
import JWTCore

/// Fuzzes decisions: a request without a token that is valid under the policy is never allowed, the policy is that of the path in every
/// reading, a field for the upstream is printable, and the same request is decided the same way again.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { RequestMutator.mutate($0, &$1) }
}

let core = try Fuzzer.lasting { try Core.judged() }
let lenient = try Fuzzer.lasting { try Core.lenient(core) }
let withoutValidTokens = try Fuzzer.lasting { [try Core.revoking(), try Core.revokingNames()] }
let waiting = try Fuzzer.lasting { try Core.waiting() }

Fuzzer.run { input in
    let question = Question(input)
    let now = NumericDate(seconds: Samples.now)
    let decision = core.decideNow(question.facts, now: now)
    precondition(outcome(core.decideNow(question.facts, now: now)) == outcome(decision), "a second reading differs")
    let explanation = core.explain(question.facts, now: now)
    precondition(outcome(explanation.decision) == outcome(decision), "the explanation differs")
    let line = explanation.description
    precondition(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "an explanation is not printable")
    for token in Samples.inserted { precondition(!line.contains(token.suffix(40)), "an explanation has a token") }
    switch decision {
    case .allowed(let admission): check(admission, question)
    case .denied(let denial): ReachedCodes.note(denial.reason.code)
    }
    for core in withoutValidTokens {
        switch core.decideNow(question.facts, now: now) {
        case .allowed(let admission): precondition(admission.provider == nil, "a revoked token is allowed")
        case .denied(let denial): ReachedCodes.note(denial.reason.code)
        }
    }
    checkLenient(question, now)
    checkWaiting(question, decision, now)
    for kind in GatewayProfile.Kind.allCases { checkProfile(kind, question, decision) }
}

/// A core that reads paths in every way and turns every claim into a field: the fields are printable, and an identity has its token.
func checkLenient(_ question: Question, _ now: NumericDate) {
    switch lenient.decideNow(question.facts, now: now) {
    case .allowed(let admission):
        let valid = [Samples.a, Samples.b, Samples.scoped]
        precondition(admission.provider == nil || valid.contains { question.runs.contains(Array($0.utf8)) }, "an identity without a token")
        if admission.policy == "ruled" { checkRuled(admission, question) }
        for field in admission.fields where field.name != "cookie" {
            precondition(field.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "a field is not printable")
        }
    case .denied(let denial): ReachedCodes.note(denial.reason.code)
    }
    precondition(!lenient.explain(question.facts, now: now).description.isEmpty && !lenient.counters.counts.isEmpty)
}

/// The policy with rules about claims admits the one token that fulfils them, and preflights of its pattern without a token.
func checkRuled(_ admission: Admission, _ question: Question) {
    if admission.provider != nil { return precondition(question.runs.contains(Array(Samples.scoped.utf8)), "a broken rule") }
    func values(_ name: String) -> [[Substring]] {
        question.facts.fields.filter { $0.name == name }.map { $0.value.split { $0 == " " || $0 == "\t" } }
    }
    let asked = values("access-control-request-method")
    precondition(
        question.facts.method == "OPTIONS" && values("origin").count == 1 && (asked == [["POST"]] || asked == [["OPTIONS"]]),
        "a request without a token that is no preflight")
}

/// A core with keys decides without waiting. One without keys accepts no token, and its refusals say when to come again.
func checkWaiting(_ question: Question, _ decision: Decision, _ now: NumericDate) {
    guard case .decided(let step) = core.begin(question.facts, now: now) else { preconditionFailure("a core with keys waits") }
    precondition(outcome(step) == outcome(decision), "a decision that may wait differs")
    guard case .waiting(let pending) = waiting.begin(question.facts, now: now) else { return }
    switch Waiting.value({ await waiting.decide(pending) }) {
    case .allowed(let admission): precondition(admission.provider == nil && admission.waived != nil, "allowed without keys")
    case .denied(let denial):
        ReachedCodes.note(denial.reason.code)
        precondition(denial.status == 503 && denial.retryAfter != nil, "a refusal that is not for lack of keys")
    }
}

/// A gateway's own form of the request is refused, or gives facts without the gateway's fields; an answer can be sent.
func checkProfile(_ kind: GatewayProfile.Kind, _ question: Question, _ decision: Decision) {
    var profile = GatewayProfile(kind)
    profile.pathPrefix = "/main"
    profile.contextFields = ["x-route": "route"]
    let facts = question.facts
    let request = ProfileRequest(method: facts.method, host: facts.host, target: facts.target, fields: facts.fields)
    do throws(Denial) {
        let facts = try profile.facts(from: request)
        precondition(!facts.host.isEmpty && facts.fields.count <= request.fields.count, "facts from nowhere")
    } catch {
        ReachedCodes.note(error.reason.code)
    }
    let reply = profile.reply(to: decision)
    precondition([200, 302, 400, 401, 403, 503].contains(reply.status), "a status that no gateway takes")
    guard case .denied(let denial) = decision else { return }
    precondition(reply.status >= (denial.location == nil ? 400 : 302), "a refusal that a gateway takes for an admission")
    check(denial)
}

/// A redirect leads to the page of its policy, and what a client wrote stays in the parameter.
func check(_ denial: Denial) {
    precondition((denial.status == 302) == (denial.location != nil), "a redirect without its status")
    guard let location = denial.location else { return }
    let start = "/login?to=", encoded = location.utf8.dropFirst(start.utf8.count)
    let isInside = encoded.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0) || "-._~%".utf8.contains($0) }
    precondition(denial.policy == "main" && denial.challenge == nil, "a redirect of another policy")
    precondition(location.utf8.starts(with: start.utf8) && location.utf8.count <= 4_096 && isInside, "a redirect to elsewhere")
}

/// Whether a request may have been allowed like this, judged without the code under test.
func check(_ admission: Admission, _ question: Question) {
    let runs = question.runs
    func has(_ tokens: String...) -> Bool { tokens.contains { runs.contains(Array($0.utf8)) } }
    let hasA = has(Samples.a, Samples.scoped), hasB = has(Samples.b)
    switch admission.policy {
    case "open": precondition(admission.provider == nil, "an open route has an identity")
    case "both": precondition(hasA && hasB, "allowed without both tokens")
    case "either": precondition(admission.provider == nil || (admission.provider == "a" ? hasA : hasB), "allowed without its token")
    case "scoped": precondition(has(Samples.scoped), "allowed without the scope")
    case "main": precondition(hasA, "allowed without a token")
    default: preconditionFailure("another policy")
    }
    for path in question.paths { precondition(isOf(admission.policy, path.first ?? "", question.facts), "the policy of another path") }
    for name in ["x-a-sub", "x-b-sub"] {
        let values = admission.fields.filter { $0.name == name }.map(\.value)
        precondition(values.count == 1, "a field is missing, or there twice")
        precondition(admission.provider != nil || values == [""], "an identity without a provider")
    }
    for field in admission.fields where field.name != "cookie" {
        precondition(field.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "a field is not printable")
    }
}

/// Whether requests whose path begins with `segment` have this policy.
func isOf(_ policy: String, _ segment: String, _ facts: RequestFacts) -> Bool {
    if Core.policies.contains(segment) { return policy == segment }
    guard segment == "hosts", facts.method == "GET" else { return policy == "main" }
    let host = facts.host.lowercased().prefix { $0 != ":" }
    return policy == (host.hasSuffix(".open.example") || host.hasSuffix(".open.example.") ? "open" : "main")
}

func outcome(_ decision: Decision) -> String {
    switch decision {
    case .allowed(let admission):
        "\(admission.policy) \(admission.provider ?? "") \(admission.waived?.reason.code ?? "") \(admission.fields) \(admission.removed)"
    case .denied(let denial): "\(denial.status) \(denial.reason.code) \(denial.challenge ?? "")"
    }
}
