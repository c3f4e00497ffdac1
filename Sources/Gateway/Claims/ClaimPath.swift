internal import JWTCore

/// The way from a payload to a claim, prepared for decisions.
struct ClaimPath: Sendable {
    private let steps: [Step]

    private struct Step: Sendable {
        /// In an object.
        let name: String?
        /// In an array.
        let position: Int?
    }

    init(_ steps: [ClaimStep]) {
        self.steps = steps.map { step in
            switch step {
            case .member(let name): Step(name: name, position: nil)
            case .position(let position): Step(name: nil, position: position)
            case .reference(let token): Step(name: token, position: JSONPointer.position(token))
            }
        }
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
        guard let name = steps[step].name, let next = value[name] else { return nil }
        return claim(in: next, from: step + 1)
    }
}
