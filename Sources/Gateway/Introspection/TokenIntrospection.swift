internal import JWKSCache
internal import JWTCore
internal import Locks

/// The introspection of one provider's tokens (RFC 7662), with a cache of answers. A look-up never waits; a token without an answer causes
/// a request, one at a time, within the terms' budget.
package final class TokenIntrospection: Sendable {
    /// The provider's name.
    package let provider: String
    let takesJWT: Bool
    private let sources: Sources
    private let request: IntrospectionRequest
    private let reader: IntrospectionReader
    private let endpoint: IntrospectionEndpoint
    private let secret = ShownToken.secret()
    private let state: Locked<State>

    private struct State {
        var cache: IntrospectionCache
        var waiters: [ShownToken: [CheckedContinuation<Void, Never>]] = [:]
        var waiterCount = 0
        var counts = IntrospectionCounts()
    }

    /// What answers depend on. With the same they continue.
    private struct Sources {
        let terms: IntrospectionTerms
        let issuer: [UInt8]
        let algorithms: AlgorithmSet
        let leeway: Duration
        let keys: ProviderKeys
        let transport: any DocumentTransport
        let clock: any ElapsedClock

        func equals(_ other: Self) -> Bool {
            terms == other.terms && issuer == other.issuer && algorithms == other.algorithms && leeway == other.leeway
                && keys.isSame(as: other.keys) && transport as AnyObject === other.transport as AnyObject
        }
    }

    /// Requests that wait for answers. Beyond them a request gets 503 at once.
    private static let mostWaiters = 4_096

    /// - Parameters:
    ///   - provider: has been checked.
    ///   - keys: those of its issuer.
    ///   - transport: makes the requests, unless the provider has its own.
    ///   - old: what this one may continue.
    /// - Returns: nil for a provider without terms.
    static func of(
        _ provider: Provider, keys: ProviderKeys, transport: any DocumentTransport, clock: any ElapsedClock,
        continuing old: [TokenIntrospection]
    ) -> TokenIntrospection? {
        guard let terms = provider.introspection else { return nil }
        let policy = provider.issuer.policy
        let sources = Sources(
            terms: terms, issuer: Array(provider.issuer.issuer.utf8), algorithms: policy.algorithms, leeway: policy.leeway, keys: keys,
            transport: provider.issuer.transport ?? transport, clock: clock)
        return old.first { $0.provider == provider.name && $0.sources.equals(sources) } ?? TokenIntrospection(provider, terms, sources)
    }

    private init(_ provider: Provider, _ terms: IntrospectionTerms, _ sources: Sources) {
        self.provider = provider.name
        takesJWT = terms.takesJWT
        self.sources = sources
        request = IntrospectionRequest(terms: terms)
        reader = IntrospectionReader(terms, issuer: provider.issuer, keys: sources.keys)
        endpoint = IntrospectionEndpoint(
            terms.endpoint, issuer: provider.issuer.issuer, transport: sources.transport, clock: sources.clock)
        state = Locked(State(cache: IntrospectionCache(terms)))
    }

    // Asking

    /// What the authorization server says of `token`. Without an answer it causes a request, if the limits permit.
    ///
    /// - Parameter awaited: receives the answer that is missing.
    func answer(about token: Span<UInt8>, _ awaited: inout [AwaitedStatus]) -> IntrospectionAnswer {
        guard let name = ShownToken(token, secret: secret) else { return .unavailable }
        let now = sources.clock.elapsed
        let finding = state.withLock { state in
            let finding = state.cache.look(name, now: now)
            if case .shed = finding { state.counts.shed += 1 }
            return finding
        }
        switch finding {
        case .answer(let answer), .shed(let answer): return answer
        case .awaited(let isNew):
            if isNew { ask(Array(copying: token), name) }
            awaited.append(AwaitedStatus(self, name))
            return .unavailable
        }
    }

    /// Waits until the request for this token has ended, at most as long as a request may take.
    func settle(_ name: ShownToken) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isWaiting = state.withLock { state in
                guard state.cache.isUnderWay(name), state.waiterCount < Self.mostWaiters else { return false }
                state.waiters[name, default: []].append(continuation)
                state.waiterCount += 1
                return true
            }
            if !isWaiting { continuation.resume() }
        }
    }

    private func ask(_ token: [UInt8], _ name: ShownToken) {
        Task {
            let result: Result<IntrospectionAnswer, IntrospectionFailure>
            do throws(IntrospectionFailure) {
                result = .success(try await answer(to: token))
            } catch {
                result = .failure(error)
            }
            finish(name, result)
        }
    }

    private func answer(to token: [UInt8]) async throws(IntrospectionFailure) -> IntrospectionAnswer {
        let url = try await endpoint.url(within: sources.terms.timeout)
        let request = try request.request(token, to: url), response: ReceivedResponse
        do throws(RequestFailure) {
            response = try await sources.transport.fetch(request)
        } catch {
            throw IntrospectionFailure(.request(error))
        }
        return try await reader.read(response, now: sources.clock.date)
    }

    private func finish(_ name: ShownToken, _ result: Result<IntrospectionAnswer, IntrospectionFailure>) {
        let now = sources.clock.elapsed, date = sources.clock.date
        let released = state.withLock { state in
            state.cache.complete(name, result, now: now, date: date)
            state.counts.count(result)
            let released = state.waiters.removeValue(forKey: name) ?? []
            state.waiterCount -= released.count
            return released
        }
        for waiter in released { waiter.resume() }
    }

    /// What it has done since the terms of the provider last changed.
    package var status: IntrospectionStatus {
        state.withLock { state in
            IntrospectionStatus(
                provider: provider, results: state.counts.results, shed: state.counts.shed, tokens: state.cache.count,
                bytes: state.cache.byteCount, underWay: state.cache.flightCount, waiters: state.waiterCount,
                lastFailure: state.counts.lastFailure)
        }
    }
}
