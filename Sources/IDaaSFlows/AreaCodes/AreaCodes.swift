/// The call for the countries whose numbers the tenant takes.
public struct AreaCodes: Sendable {
    private let wire: WireClient

    init(_ wire: WireClient) { self.wire = wire }

    /// Fetches the list.
    public func list() async -> AreaCodesOutcome {
        do throws(FlowError) {
            let answer = try await wire.call(WireCall(get: "/api/v2/sdk/country-codes"))
            guard let list = AreaCodeList(try answer.object()) else { throw answer.unexpected }
            return .list(list)
        } catch {
            return .failed(error)
        }
    }
}

/// What the call for the area codes ends in.
public enum AreaCodesOutcome: FlowOutcome {
    case list(AreaCodeList)
    case failed(FlowError)

    /// 0, or the server's code, or 1.
    public var legacyCode: String { failure?.legacyCode ?? "0" }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    public func get() throws(FlowError) -> AreaCodeList {
        switch self {
        case .list(let list): return list
        case .failed(let error): throw error
        }
    }
}
