#if HTTP
internal import IDaaSFlows
internal import LoginSupport

/// What has to hold of a person after the server was killed and started again.
struct Judgement {
    let configuration: FlowConfiguration
    let environment: FlowEnvironment
    /// How often each thing was looked at: a kill that finds nobody in a state proves nothing about it.
    private(set) var counts: [String: Int] = [:]

    init(_ configuration: FlowConfiguration, _ environment: FlowEnvironment) {
        self.configuration = configuration
        self.environment = environment
    }

    /// Every answer that was read is honoured.
    mutating func honours(_ person: Person) async throws {
        let memory = person.remembered
        if memory.first != nil {
            let renewed = await person.flows.sessions.renew()
            try expect("a session goes on", renewed.session != nil && renewed.failure == nil, "\(renewed)")
            let verdict = await person.flows.identity.verify(memory.second?.idToken ?? memory.first?.idToken ?? "")
            try expect("an id_token verifies", verdict.legacyCode == "0", "\(verdict)")
        } else if let pass = memory.pass, memory.code == nil {
            // Sent, or asked for and unanswered: the same request again is answered alike, and no second time with another SMS.
            let sent = await person.flows.sms.sendSMS(pass)
            try expect("a captcha token is good for its SMS", sent.legacyCode == "0", "\(sent)")
        }
    }

    /// Nothing that was used up comes back.
    mutating func keepsConsumed(_ person: Person) async throws {
        let memory = person.remembered
        if memory.first != nil, let code = memory.code {
            let again = await person.flows.sms.logIn(mobile: person.mobile, code: code)
            try expect("a code is refused the second time", again.legacyCode == "IDAAS.SDK.SMS.1005", "\(again)")
        }
        if memory.code != nil, let pass = memory.pass {
            let stranger = Flows(configuration, environment)
            let sent = await stranger.sms.sendSMS(pass)
            try expect("a captcha token is refused the second time", sent.legacyCode == "IDAAS.SDK.SMS.1004", "\(sent)")
        }
    }

    /// A session token that was replaced is good for nothing once its retry is over.
    mutating func keepsRotated(_ person: Person) async throws {
        guard let first = person.remembered.first, person.remembered.second != nil else { return }
        var contents = try await person.store.contents()
        contents.session = first
        var environment = environment
        environment.store = MemorySessionStore(contents)
        let renewed = await Flows(configuration, environment).sessions.renew()
        try expect("a replaced session token is refused", renewed.legacyCode == "IDAAS.SDK.COMMON.1005", "\(renewed)")
    }

    private mutating func expect(_ fact: String, _ holds: Bool, _ outcome: @autoclosure () -> String) throws {
        guard holds else { throw Wrong("\(fact): \(outcome())") }
        counts[fact, default: 0] += 1
    }
}
#endif
