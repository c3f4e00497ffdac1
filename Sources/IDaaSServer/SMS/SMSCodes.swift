#if IDaaS
internal import Logging
internal import Secrets

/// Sends SMS codes, each for one captcha token.
///
/// Numbers that have a user and numbers that have none are answered alike, after the same steps: where no user is to be made of a
/// number, its code is made and kept as any other, and its message goes nowhere.
package struct SMSCodes: Sendable {
    let store: any Store
    let clock: any ServerClock
    let randomness: Randomness
    let lifetimes: Lifetimes
    let limits: LimitSettings
    let areaCodes: AreaCodes
    let hash: any KeyedHash
    let gateway: any SMSGateway
    let sink: any SMSGateway
    let text: MessageText
    /// Whether the fixed codes of test numbers are honoured.
    let isDevelopment: Bool
    let logger: Logger
    let flights = Flights<SendRequest, SMSReceipt>()

    /// Sends a code to `mobile`, in place of any that this device has asked for before.
    ///
    /// The same request within 30 s, as after a lost reply, is answered the same without a second SMS.
    ///
    /// - Throws: COMMON.1001, 1002 and 1009; `IDAAS.SDK.SMS.1007` for a type that is not served, `SMS.1004` for a captcha token that is
    ///   none, another's, another number's, over or used, `SMS.1008` if the gateway does not take it, `IDAAS.SDK.LOGIN.1003` for a
    ///   locked number, `IDAAS.SDK.RATE.1001`; the last two use nothing up.
    package func send(mobile: String, type: String, captchaToken: String, for caller: Caller) async throws -> SMSReceipt {
        let number = try areaCodes.number(mobile)
        guard !type.isEmpty else { throw ServiceError(.missingParameter, "type") }
        guard let type = SMSType(rawValue: type), SMSType.served.contains(type) else { throw ServiceError(.unknownScenario) }
        guard !captchaToken.isEmpty else { throw ServiceError(.missingParameter, "captcha_token") }
        guard caller.client.settings.sms else { throw ServiceError(.unknownConfiguration) }
        let request = SendRequest(owner: CodeOwner(type, number, caller), token: Digest256.of(Array(captchaToken.utf8)))
        return try await flights.value(of: request) { try await self.send(request, for: caller) }
    }

    private func send(_ request: SendRequest, for caller: Caller) async throws -> SMSReceipt {
        let receipt = SMSReceipt(expire: lifetimes.code, interval: lifetimes.sendInterval)
        let now = clock.now
        let order = try await store.settle { [fresh = freshCode()] store in
            try self.order(request, freshCode: fresh, for: caller, at: now, in: store)
        }
        guard case .send(let code, let isReal) = order else { return receipt }
        do {
            try await (isReal ? gateway : sink).deliver(message(code, request.owner, caller))
            return receipt
        } catch {
            if isReal { log(error, of: request, for: caller) }
            try await undo(request, at: now)
            throw ServiceError(.sendingFailed)
        }
    }

    private enum Order: Sendable {
        case send(code: String, isReal: Bool)
        case sentBefore
    }

    /// Everything that is decided and kept about a request, in one transaction.
    private func order(
        _ request: SendRequest, freshCode: String, for caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> Result<Order, ServiceError> {
        let owner = request.owner
        guard let token = try store.singleUse(.captchaToken, request.token), token.belongs(to: caller), token.subject == owner.mobile.text
        else { return .failure(ServiceError(.captchaIncorrect)) }
        if token.consumed != nil { return repetition(of: token, request, at: now) }
        if let locked = try store.failures(of: owner.mobile.text)?.refusal(at: now) { return .failure(locked) }
        let user = try store.user(mobile: owner.mobile.text)
        let testCode = isDevelopment ? user?.testCode : nil
        let budget = limits.sendBudget(
            to: owner.mobile, of: caller, preferred: areaCodes.preferred, pause: lifetimes.sendInterval)
        if testCode == nil, let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
        guard try store.consume(.captchaToken, request.token, at: now, outcome: SendOutcome.sent(owner.type)) else {
            return .failure(ServiceError(.captchaIncorrect))
        }
        if testCode == nil { try budget.record(at: now, in: store) }
        let code = testCode ?? freshCode
        try store.save(
            SingleUse(
                purpose: .code(owner.type), key: owner.key, client: owner.client, device: owner.device, subject: owner.mobile.text,
                content: owner.hash(of: code, under: hash), created: now, expires: now + lifetimes.code))
        return .success(.send(code: code, isReal: testCode == nil && isReachable(user, caller.client)))
    }

    /// Whether a message shall go out: to users who may log in, to those who are about to become users, and to those who are to be
    /// told, and they alone, that they are none.
    private func isReachable(_ user: User?, _ client: Client) -> Bool {
        guard let user else { return client.settings.registersUnknownNumbers || client.settings.revealsUnknownNumbers }
        return !user.isLocked
    }

    /// A request with a token that is used up: answered as the one that used it, if it is the same and was not long ago.
    private func repetition(of token: SingleUse, _ request: SendRequest, at now: Timestamp) -> Result<Order, ServiceError> {
        guard let consumed = token.consumed, now < consumed + lifetimes.retry else { return .failure(ServiceError(.captchaIncorrect)) }
        switch token.outcome {
        case SendOutcome.sent(request.owner.type): return .success(.sentBefore)
        case SendOutcome.failed(request.owner.type): return .failure(ServiceError(.sendingFailed))
        default: return .failure(ServiceError(.captchaIncorrect))
        }
    }

    /// Nothing went out: the number may ask again at once. Only the pause is lifted; a gateway that fails late, having sent, shall not
    /// open the other limits, the number's own of an hour and a day among them. The code stays, should it have arrived all the same.
    private func undo(_ request: SendRequest, at now: Timestamp) async throws {
        try await store.write { store in
            try store.removeEvent(.sendPause, request.owner.mobile.text, at: now)
            guard var token = try store.singleUse(.captchaToken, request.token) else { return }
            token.outcome = SendOutcome.failed(request.owner.type)
            try store.save(token)
        }
    }

    private func log(_ error: any Error, of request: SendRequest, for caller: Caller) {
        logger.warning(
            "an SMS was not sent",
            metadata: [
                "request_id": "\(caller.requestID)", "client": "\(request.owner.client)", "reason": "\(DeliveryFailure.reason(of: error))",
            ])
    }

    /// Six digits, each sequence as likely as the other.
    private func freshCode() -> String {
        let digits = String(randomness.integer(below: 1_000_000))
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private func message(_ code: String, _ owner: CodeOwner, _ caller: Caller) -> SMSMessage {
        SMSMessage(
            mobile: owner.mobile.text, code: code, type: owner.type.rawValue, client: owner.client, language: caller.language,
            requestID: caller.requestID,
            text: text.text(code: code, client: caller.client.name, minutes: (lifetimes.code + 59) / 60, in: caller.language))
    }
}
#endif
