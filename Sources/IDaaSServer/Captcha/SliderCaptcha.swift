package import IDaaSWire
internal import Secrets

/// The slider captcha: draws challenges, checks solutions, and issues a token for each right solution. A token allows one SMS.
package struct SliderCaptcha: DomainService {
    package let environment: SharedEnvironment

    /// {0} of the SMS.1001 to 1003 texts: the kind of captcha.
    private static let kind = "blockPuzzle"

    /// Draws a new picture. The store keeps the position of the piece, not the picture.
    ///
    /// - Throws: `IDAAS.SDK.RATE.1001`; ``RequestRefusal/unavailable`` if there is no memory for the picture.
    package func challenge(for caller: Caller) async throws -> SliderChallenge {
        let budget = limits.captchaBudget(of: caller)
        // Checked before the expensive drawing, and again when counting, because only the second check is exact.
        if let refusal = try await store.read({ [now = clock.now] in try budget.refusal(at: now, in: $0) }) { throw refusal }
        guard let picture = try? environment.drawSlider(randomness) else { throw RequestRefusal.unavailable }
        let token = randomness.token(characters: 32, alphabet: .hexadecimal)
        let now = clock.now
        let challenge = SingleUse(
            purpose: .challenge, key: Digest256.of(Array(token.utf8)), client: caller.client.id, device: caller.device,
            content: SliderPoint(x: Double(picture.x), y: Double(picture.y)).document.bytes, created: now,
            expires: now + lifetimes.challenge)
        try await store.settle { store -> Result<Void, ServiceError> in
            if let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
            try budget.record(at: now, in: store)
            try store.save(challenge)
            return .success(())
        }
        return SliderChallenge(
            token: token, background: picture.background, piece: picture.piece, width: SliderPicture.width, height: SliderPicture.height,
            blockWidth: SliderPicture.blockWidth, lifetime: lifetimes.challenge)
    }

    /// Checks a solution. A challenge can be checked only once, with a right or a wrong solution.
    ///
    /// - Parameters:
    ///   - sender: the number that gets the SMS; the token is valid only for this number.
    ///   - track: the path of the pointer, checked with ``SliderTrack`` if present.
    /// - Returns: the captcha token.
    /// - Throws: `IDAAS.SDK.SMS.1002` for an invalid point; `IDAAS.SDK.SMS.1003` for a wrong point, and for a challenge that is used,
    ///   expired, unknown or of another caller; COMMON.1001 and 1002; `IDAAS.SDK.RATE.1001`.
    package func verify(
        token: String, pointJSON: String, sender: String, track: String?, for caller: Caller
    ) async throws -> String {
        let number = try areaCodes.number(of: sender, parameter: WireMember.sender)
        guard let point = SliderPoint(json: pointJSON) else { throw ServiceError(.sliderUnreadable, Self.kind) }
        let tracks = try track.map { try Self.track($0, endingAt: point) } ?? true
        let worth = captchaToken(from: token, pointJSON, for: caller.client)
        let (now, key, limits) = (clock.now, Digest256.of(Array(token.utf8)), limits)
        let reward = SingleUse(
            purpose: .captchaToken, key: Digest256.of(Array(worth.utf8)), client: caller.client.id, device: caller.device,
            subject: number.text, created: now, expires: now + lifetimes.captchaToken)
        return try await store.settle { store -> Result<String, ServiceError> in
            if let refusal = try limits.solutionBudget(of: caller).refusal(at: now, in: store) { return .failure(refusal) }
            let mismatch = ServiceError(.sliderMismatch, Self.kind)
            guard let challenge = try store.singleUse(.challenge, key), challenge.belongs(to: caller),
                try store.consume(.challenge, key, at: now, outcome: nil)
            else { return .failure(mismatch) }
            guard tracks, let place = SliderPoint(json: String(decoding: challenge.content, as: UTF8.self)), point.fits(place) else {
                return .failure(try limits.countWrongCaptcha(of: caller, number, at: now, in: store) ?? mismatch)
            }
            try store.save(reward)
            return .success(worth)
        }
    }

    /// Where the piece of an unused challenge belongs; nil for any other token. Only development may tell it.
    func place(of token: String) async throws -> SliderPoint? {
        let (now, key) = (clock.now, Digest256.of(Array(token.utf8)))
        guard let challenge = try await store.read({ try $0.singleUse(.challenge, key) }), challenge.isLive(at: now) else { return nil }
        return SliderPoint(json: String(decoding: challenge.content, as: UTF8.self))
    }

    private static func track(_ json: String, endingAt point: SliderPoint) throws -> Bool {
        guard let track = SliderTrack(json: json) else { throw ServiceError(.invalidFormat, WireMember.track) }
        return track.isPlausible(width: SliderPicture.width, endingAt: point.x)
    }

    /// Opaque, or in the notation of AJ-Captcha. Either is worthless unless it is in the store.
    private func captchaToken(from token: String, _ pointJSON: String, for client: Client) -> String {
        client.settings.compatibleCaptchaToken ? "\(token)---\(pointJSON)" : randomness.token(characters: 32, alphabet: .base62)
    }
}
