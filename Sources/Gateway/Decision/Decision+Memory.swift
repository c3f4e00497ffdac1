extension Decision {
    /// The decision as a value of its own.
    init(_ verdict: Verdict, _ memory: DecisionMemory, _ rules: DecisionRules) {
        let policy = verdict.policy.map { rules.policies[$0] }
        let denial = verdict.reason.map { reason in
            let location = memory.location.map(memory.text)
            return Denial(
                policy: policy?.name, reason: reason, status: location == nil ? reason.status : 302,
                challenge: location == nil ? memory.challenge.map(memory.text) : nil,
                proofNonce: location == nil ? memory.proofNonce.map(memory.text) : nil,
                retryAfter: verdict.retryAfter.map { .seconds($0) }, location: location)
        }
        if !verdict.isAllowed, let denial {
            self = .denied(denial)
            return
        }
        var fields: [Field] = [], removed: [String] = []
        for operation in memory.operations {
            let name = operation.name.text(policy, rules)
            if let value = operation.value { fields.append(Field(lowercased: name, memory.text(value))) } else { removed.append(name) }
        }
        self = .allowed(
            Admission(
                policy: policy?.name ?? "", fields: fields, removed: removed,
                removedParameters: memory.removedParameters.compactMap { policy?.places[$0].place.parameter },
                provider: verdict.accepted.first.flatMap { policy?.providers[$0].name }, subject: memory.subject.map(memory.text),
                waived: denial, proofNonce: memory.proofNonce.map(memory.text)))
    }
}

extension FieldOperation.Name {
    /// In lower case.
    func text(_ policy: PolicyRules?, _ rules: DecisionRules) -> String {
        switch self {
        case .claim(let slot): rules.fieldNames[slot]
        case .authorization: "authorization"
        case .cookie: "cookie"
        case .webSocketProtocol: String(decoding: WebSocketProtocolField.name, as: UTF8.self)
        case .place(let place):
            if case .header(let name, _)? = policy?.places[place].place { String(decoding: name, as: UTF8.self) } else { "" }
        }
    }
}

extension TokenPlace {
    fileprivate var parameter: String? { if case .query(let name) = self { String(decoding: name.bytes, as: UTF8.self) } else { nil } }
}
