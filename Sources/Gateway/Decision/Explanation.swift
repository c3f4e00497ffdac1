internal import JWKSCache
public import JWTCore

/// Why a request was decided as it was, for one line of a log.
///
/// Of a token it has only `kid` and `iss`, which a refused token chose itself: they are cut to 64 bytes and escaped. It has no other byte of
/// a token, no path and no field.
public struct Explanation: Sendable {
    public let decision: Decision
    /// The position of the route in the configuration, from zero; nil if none matched. ``description`` counts from one, as faults of a
    /// configuration do.
    public let route: Int?
    /// The providers that were asked, in the order of the policy.
    public let attempts: [Attempt]
    /// Where the policy sends browsers in place of this 401, as the configuration has it; nil for every other decision.
    public let redirect: String?
    /// The time that tokens were judged for.
    public let date: NumericDate

    /// One provider's answer.
    public struct Attempt: Sendable {
        public let provider: String
        /// The kind of place of its token: `authorization`, `header`, `cookie` or `query`; nil without a token.
        public let source: String?
        /// `accepted`, or the code of the refusal.
        public let code: String
        /// Where the token is at fault, in bytes.
        public let offset: Int?
        /// The position in the policy of the rule about claims that the token breaks, from zero. ``description`` counts from one.
        public let rule: Int?
        public let keyID: String?
        public let issuer: String?
        /// The number of the provider's key set and the time since its fetch; nil without keys.
        public let generation: UInt64?
        public let keysAge: Duration?
    }
}

extension Decider {
    /// Decides about a request as ``decide(_:now:waits:_:)`` does, counts nothing, and says why.
    package func explain(_ request: RequestView, now: NumericDate? = nil) -> Explanation {
        let now = now ?? date.now
        var memory = DecisionMemory()
        do throws(Denial) {
            let request = try RoutedRequest(request, rules)
            let judgement = judge(request, now, &memory), policy = rules.policies[request.policy]
            var attempts: [Explanation.Attempt] = []
            for place in policy.providers.indices {
                guard let answer = memory.answers[place].explained else { continue }
                attempts.append(Explanation.Attempt(policy, place, answer, memory, judgement.held, request))
            }
            let verdict = Verdict(judgement, request, policy, rules, &memory)
            let isUnauthorized = !verdict.isAllowed && verdict.reason?.status == 401
            return Explanation(
                decision: Decision(verdict, memory, rules), route: request.route, attempts: attempts,
                redirect: isUnauthorized ? configuration.policies[request.policy].browserRedirect : nil, date: now)
        } catch {
            return Explanation(decision: .denied(error), route: nil, attempts: [], redirect: nil, date: now)
        }
    }
}

extension ProviderAnswer {
    fileprivate typealias Explained = (code: String, offset: Int?, rule: Int?)

    /// Nil if the provider was not asked.
    fileprivate var explained: Explained? {
        switch self {
        case .unasked: nil
        case .granted(nil): ("accepted", nil, nil)
        case .granted(let lack?): (lack.reason.code, nil, lack.rule)
        case .refused(let refusal): (refusal.reason.code, refusal.offset, nil)
        }
    }
}

extension Explanation.Attempt {
    fileprivate init(
        _ policy: PolicyRules, _ position: Int, _ answer: ProviderAnswer.Explained, _ memory: DecisionMemory,
        _ held: Positions, _ request: RoutedRequest
    ) {
        let provider = policy.providers[position]
        let place = policy.placesOf[position].intersection(held).first
        self.provider = provider.name
        source = place.map { policy.places[$0].place.kind }
        (code, offset, rule) = answer
        var claims: UnverifiedClaims?
        if let place { claims = Self.claims(of: memory.tokens[place], in: request) }
        keyID = claims?.header.string("kid").map { Self.safe(Array($0.utf8)) }
        issuer = claims?.issuer.map { Self.safe(Array($0.utf8)) }
        let status = provider.keys(ofIssuer: claims?.issuer.map(provider.issuer(named:)) ?? 0).status
        generation = status.age == nil ? nil : status.generation
        keysAge = status.age
    }

    private static func claims(of token: PresentedToken, in request: RoutedRequest) -> UnverifiedClaims? {
        switch token {
        case .one(.field(let field, let range)): return try? UnverifiedClaims(reading: request.request.fieldValue(field).extracting(range))
        case .one(.context(let entry)): return try? UnverifiedClaims(reading: request.request.contextValue(entry))
        case .one(.fieldInBase64URL(let field, let range)):
            return (try? Base64URL.bytes(request.request.fieldValue(field).extracting(range))).flatMap {
                try? UnverifiedClaims(reading: $0.span)
            }
        case .one(.query(let range)): return try? UnverifiedClaims(reading: request.target.query.extracting(range))
        case .one(.encoded(let range)):
            var text = FormText(range), bytes: [UInt8] = []
            while let byte = text.next(in: request.target.query) { bytes.append(byte) }
            return try? UnverifiedClaims(reading: bytes.span)
        case .none, .several: return nil
        }
    }

    /// At most 64 bytes of `text`; what is not printable ASCII, and what would end a quoted value, becomes `\xNN`.
    private static func safe(_ text: [UInt8]) -> String {
        let shown = text.prefix(64).map { byte in
            byte.isPrintable && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return shown.joined() + (text.count > 64 ? "..." : "")
    }
}

extension Explanation: CustomStringConvertible {
    /// One line, without line breaks.
    public var description: String {
        var words: [String]
        switch decision {
        case .allowed(let admission):
            words = [admission.waived == nil ? "allowed" : "allowed despite \(admission.waived?.reason.code ?? "")"]
            words.append("policy=\"\(admission.policy)\"")
        case .denied(let denial):
            words = ["denied \(denial.status) \(denial.reason.code)"]
            if let policy = denial.policy { words.append("policy=\"\(policy)\"") }
            // The client's own URL is no text of a log.
            if let redirect { words.append("\(denial.location == nil ? "browsers" : "location")=\"\(redirect)\"") }
        }
        if let route { words.append("route=\(route + 1)") }
        words.append("now=\(date.seconds)")
        return (words + attempts.map(\.description)).joined(separator: " ")
    }
}

extension Explanation.Attempt: CustomStringConvertible {
    public var description: String {
        var words = ["provider=\"\(provider)\"", "code=\(code)"]
        if let source { words.append("source=\(source)") }
        if let offset { words.append("offset=\(offset)") }
        if let rule { words.append("rule=\(rule + 1)") }
        if let keyID { words.append("kid=\"\(keyID)\"") }
        if let issuer { words.append("iss=\"\(issuer)\"") }
        if let generation { words.append("generation=\(generation)") }
        if let keysAge { words.append("keys_age=\(keysAge.components.seconds)s") }
        return "[\(words.joined(separator: " "))]"
    }
}
