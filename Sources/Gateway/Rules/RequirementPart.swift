/// A part of a requirement, with its providers as positions in ``PolicyRules/providers``. The parts of a requirement stand in one list, each
/// before its members.
struct RequirementPart: Sendable {
    let kind: Kind
    let firstMember: Int
    /// The place after its last member, and the members of these.
    let end: Int
    /// The providers of an `any`, with those of all its members.
    let providers: Positions

    enum Kind {
        case provider(Int)
        case any(Allowance?)
        case all
    }

    enum Allowance {
        case missing, failed
    }

    /// - Parameter names: receives the providers' names in the order of their first use.
    static func parts(of requirement: Requirement, _ names: inout [String]) -> [Self] {
        var parts: [Self] = []
        append(requirement, to: &parts, &names)
        return parts
    }

    private static func append(_ requirement: Requirement, to parts: inout [Self], _ names: inout [String]) {
        let place = parts.count
        parts.append(Self(kind: .all, firstMember: place + 1, end: place + 1, providers: Positions()))
        var kind = Kind.any(nil)
        switch requirement {
        case .provider(let name):
            if !names.contains(name) { names.append(name) }
            kind = .provider(names.firstIndex(of: name) ?? 0)
        case .any(let members):
            kind = .any(members.contains(.allowFailed) ? .failed : members.contains(.allowMissing) ? .missing : nil)
            for member in members where member != .allowMissing && member != .allowFailed { append(member, to: &parts, &names) }
        case .all(let members):
            kind = .all
            for member in members { append(member, to: &parts, &names) }
        case .allowMissing, .allowFailed: break
        }
        parts[place] = Self(
            kind: kind, firstMember: place + 1, end: parts.count, providers: providers(of: kind, parts[(place + 1)...]))
    }

    private static func providers(of kind: Kind, _ members: ArraySlice<Self>) -> Positions {
        if case .provider(let position) = kind { return Positions(position) }
        return members.reduce(into: Positions()) { $0.formUnion($1.providers) }
    }
}
