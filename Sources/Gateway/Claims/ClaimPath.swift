internal import JWTCore

/// The way from a payload to a claim, prepared for decisions.
struct ClaimPath: Sendable {
    private let steps: [Step]
    /// The steps' names in objects; empty where a step has none.
    private let names: NameList

    private struct Step: Sendable {
        let hasName: Bool
        /// In an array.
        let position: Int?
    }

    init(_ steps: [ClaimStep]) {
        names = NameList(steps.map { $0.name ?? "" })
        self.steps = steps.map { Step(hasName: $0.name != nil, position: $0.position) }
    }

    /// The claim; nil if a step leads nowhere.
    @_lifetime(copy payload)
    func claim(in payload: borrowing JSONValue) -> JSONValue? { claim(in: payload, from: 0) }

    @_lifetime(copy value)
    private func claim(in value: borrowing JSONValue, from step: Int) -> JSONValue? {
        guard step < steps.count else { return copy value }
        if value.isArray {
            guard let position = steps[step].position, let next = value[position] else { return nil }
            return claim(in: next, from: step + 1)
        }
        guard steps[step].hasName, let next = value[names[step]] else { return nil }
        return claim(in: next, from: step + 1)
    }
}

extension ClaimStep {
    /// The name of a member.
    fileprivate var name: String? {
        switch self {
        case .member(let name), .reference(let name): name
        case .position: nil
        }
    }

    /// The position of an element.
    fileprivate var position: Int? {
        switch self {
        case .member: nil
        case .position(let position): position
        case .reference(let token): JSONPointer.position(token)
        }
    }
}
