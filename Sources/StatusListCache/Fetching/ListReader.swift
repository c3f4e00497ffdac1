internal import JWKSCache
internal import JWTCore
internal import TokenStatus

/// Makes the request of one fetch, and verifies what comes.
struct ListReader: Sendable {
    let issuers: [StatusListIssuer]
    let transport: any DocumentTransport
    let clock: any ElapsedClock

    func read(_ order: ListOrder) async -> ListResult {
        // A cancelled fetch sends no request, however its transport handles cancellation.
        guard !Task.isCancelled else { return .failed(.fetch(RequestFailure(.cancelled)), retryAfter: nil) }
        do throws(RequestFailure) {
            return await result(of: try await transport.fetch(order.request), to: order)
        } catch {
            return .failed(.fetch(error), retryAfter: nil)
        }
    }

    private func result(of response: ReceivedResponse, to order: ListOrder) async -> ListResult {
        if let result = ListResult(response, withoutListTo: order) { return result }
        return ListResult(await issuers[order.issuer].verify(response.body, order.uri, clock.date), in: response)
    }
}
