internal import JWTCore

/// What a host does with an admitted request, in bytes of a ``DecisionMemory``.
package struct HostOperation: Sendable {
    package let kind: Kind
    /// Of a field, in lower case; empty for the target.
    package let name: Range<Int>
    /// Empty where a field is removed.
    package let value: Range<Int>

    package enum Kind: Sendable {
        /// Replaces all fields of the name.
        case set
        /// Removes all fields of the name.
        case remove
        /// Replaces the target by one without the tokens in its query.
        case setTarget
    }
}

extension Decider {
    /// Adds to a decision what a host needs beside it: names of the configuration, and operations in bytes.
    ///
    /// - Parameters:
    ///   - verdict: what ``decide(_:now:waits:_:)`` returned last for `memory`.
    ///   - memory: receives the bytes.
    package func describe(_ verdict: Verdict, _ memory: inout DecisionMemory) {
        guard let position = verdict.policy else { return }
        lending { rules in rules.policies.lend(position) { memory.describe(verdict, $0, rules) } }
    }
}

extension DecisionMemory {
    fileprivate mutating func describe(_ verdict: Verdict, _ policy: PolicyRules, _ rules: DecisionRules) {
        policyName = add(policy.nameBytes)
        guard verdict.isAllowed else { return }
        for provider in verdict.accepted { policy.providers.lend(provider) { providerNames.append(add($0.nameBytes)) } }
        describeDocuments(policy)
        for place in operations.indices { describe(operations[place], policy, rules) }
        if let target { hostOperations.append(HostOperation(kind: .setTarget, name: 0..<0, value: target)) }
    }

    private mutating func describe(_ operation: FieldOperation, _ policy: PolicyRules, _ rules: DecisionRules) {
        let name: Range<Int>
        switch operation.name {
        case .claim(let slot): name = rules.fieldNameList.lend(slot) { add($0) }
        case .authorization: name = add(Self.authorization)
        case .cookie: name = add(CookieField.name)
        case .webSocketProtocol: name = add(WebSocketProtocolField.name)
        case .place(let place):
            let field: Range<Int>? = policy.places.lend(place) {
                guard case .header(let field, _) = $0.place else { return nil }
                return add(field)
            }
            guard let field else { return }
            name = field
        }
        hostOperations.append(HostOperation(kind: operation.value == nil ? .remove : .set, name: name, value: operation.value ?? 0..<0))
    }

    private static let authorization = Array("authorization".utf8)

    /// - Returns: where `text` stands now.
    mutating func add(_ text: [UInt8]) -> Range<Int> { add(text.span) }

    private mutating func add(_ text: Span<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes.append(text)
        return start..<bytes.count
    }
}
