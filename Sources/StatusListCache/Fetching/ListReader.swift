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
        switch response.status {
        case 200:
            let verdict = await issuers[order.issuer].verify(response.body, order.uri, clock.date)
            return switch verdict {
            case .success(let list): .list(list, CacheDirectives(response))
            case .failure(let error): .failed(.refused(error), retryAfter: nil)
            }
        case 304 where order.request.isConditional: return .notModified(CacheDirectives(response))
        case 304: return .failed(.unexpectedNotModified, retryAfter: nil)
        default: return .failed(.status(response.status), retryAfter: CacheDirectives.retryAfter(response))
        }
    }
}
