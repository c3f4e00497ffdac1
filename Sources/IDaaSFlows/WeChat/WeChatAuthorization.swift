internal import JWKSCache
internal import JWTCore
internal import Secrets

/// Gets a code from WeChat: one request, one callback, one state.
struct WeChatAuthorization: Sendable {
    let wire: WireClient
    let store: any SessionStore
    let router: WeChatCallbackRouter

    /// Opens WeChat and waits for its callback.
    func request(_ authorizer: any WeChatAuthorizer) async -> WeChatAuthorizationOutcome {
        do throws(FlowError) {
            let request = WeChatRequest(
                application: router.application, scope: WeChatApplication.scope,
                state: wire.randomness.token(characters: 32, alphabet: .base62))
            let pending = PendingAuthorization(
                state: request.state, router.application, wire.configuration, now: wire.clock.date.seconds)
            try await store.exclusively { contents in contents.authorization = pending }
            let wait = router.begin()
            do throws(WeChatFailure) {
                try await authorizer.open(request)
            } catch {
                router.end(wait.number)
                return error == .cancelled || error == .denied ? .cancelled : .refused(error)
            }
            return try await claim(try await callback(wait.number, wait.callbacks))
        } catch {
            return .failed(error)
        }
    }

    /// The authorisation with which WeChat opened the program anew; nil without one.
    func resume() async -> WeChatAuthorizationOutcome? {
        guard let callback = router.takeKept() else { return nil }
        do throws(FlowError) { return try await claim(callback) } catch { return .failed(error) }
    }

    /// - Returns: nil if none came: too late, or the user began again.
    private func callback(_ number: Int, _ callbacks: AsyncStream<WeChatCallback>) async throws(FlowError) -> WeChatCallback? {
        let deadline = wire.clock.elapsed + PendingAuthorization.lifetime
        let timer = Task { [clock = wire.clock, router] in
            await clock.sleep(until: deadline)
            if !Task.isCancelled { router.end(number) }
        }
        defer { timer.cancel() }
        for await callback in callbacks { return callback }
        guard !Task.isCancelled else { throw FlowError(.cancelled) }
        guard wire.clock.elapsed >= deadline else { return nil }
        return WeChatCallback(late: ())
    }

    /// Whatever the callback says, its request is over: no second one is compared with the same state.
    private func claim(_ callback: WeChatCallback?) async throws(FlowError) -> WeChatAuthorizationOutcome {
        guard let callback else { return .cancelled }
        let pending = try await store.exclusively { contents in
            defer { contents.authorization = nil }
            return contents.authorization
        }
        if case .cancelled = callback.answer, callback.state == nil { return .cancelled }
        do throws(WeChatFailure) {
            if case .failure(let failure) = callback.answer, callback.state == nil { throw failure }
            guard let pending else { throw .stateMismatch }
            try pending.accept(callback.state, for: router.application, wire.configuration, now: wire.clock.date.seconds)
            switch callback.answer {
            case .code(let code): return .authorized(code: code)
            case .cancelled: return .cancelled
            case .failure(let failure): throw failure
            case .malformed: throw .common
            }
        } catch {
            wire.configuration.log.write("WeChat: no authorisation: \(error.rawValue)")
            return .refused(error)
        }
    }
}

/// The outcome of an authorisation in WeChat.
public enum WeChatAuthorizationOutcome: FlowOutcome {
    /// A code for ``WeChatLogin/logIn(code:nonce:)``. It works once, within ten minutes.
    case authorized(code: String)
    /// The user cancelled or denied, or began again.
    case cancelled
    /// WeChat failed, or the callback is of somebody else's request.
    case refused(WeChatFailure)
    case failed(FlowError)

    /// `0`, `102` (cancelled or denied), `103` (WeChat failed), or `1`.
    public var legacyCode: String {
        switch self {
        case .authorized: "0"
        case .cancelled: "102"
        case .refused(let failure): failure.legacyCode
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? {
        switch self {
        case .authorized, .cancelled: nil
        case .refused(let failure): FlowError(.weChat(failure))
        case .failed(let error): error
        }
    }

    /// - Throws: `cancelled` if the user cancelled.
    public func get() throws(FlowError) -> String {
        if case .authorized(let code) = self { return code }
        throw failure ?? FlowError(.cancelled)
    }
}
