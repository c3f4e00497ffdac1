public import IDaaSWire

/// The call for the countries whose numbers the tenant accepts.
public struct AreaCodeLookup: Sendable {
    private let wire: WireClient

    init(_ wire: WireClient) { self.wire = wire }

    /// Fetches the list.
    public func list() async -> CallOutcome<AreaCodeList> {
        await CallOutcome { () throws(FlowError) in try await fetch().list }
    }

    /// The list, and the document as the server sent it.
    func fetch() async throws(FlowError) -> (list: AreaCodeList, document: WireValue) {
        let answer = try await wire.call(WireCall(get: WirePath.areaCodes))
        let document = try answer.object()
        guard let list = AreaCodeList(document) else { throw answer.unexpected }
        return (list, document)
    }
}
