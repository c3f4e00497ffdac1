extension ConfigurationFault: CustomStringConvertible {
    /// The path as text: `providers[0].claimHeaders[2].name`.
    public var setting: String {
        path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            case .position(let position): text += "[\(position)]"
            }
        }
    }

    public var description: String { "\(setting): \(code.rawValue): \(code.summary)" }
}
