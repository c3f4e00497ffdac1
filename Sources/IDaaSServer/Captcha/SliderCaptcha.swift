#if IDaaS
internal import Secrets

/// The slider: draws challenges, judges solutions, and gives tokens for the right ones, each good for one SMS.
package struct SliderCaptcha: Sendable {
    let store: any Store
    let clock: any ServerClock
    let randomness: Randomness
    let lifetimes: Lifetimes
    let limits: LimitSettings
    let areaCodes: AreaCodes

    /// {0} of the SMS.1001 to 1003 texts: the kind of captcha.
    private static let kind = "blockPuzzle"

    /// A fresh picture. The store keeps the place of the piece, and no picture.
    ///
    /// - Throws: `IDAAS.SDK.RATE.1001`.
    package func challenge(for caller: Caller) async throws -> SliderChallenge {
        let budget = limits.captchaBudget(of: caller)
        // Asked before the drawing, which is dear; and again with the counting, which alone is exact.
        if let refusal = try await store.read({ [now = clock.now] in try budget.refusal(at: now, in: $0) }) { throw refusal }
        let picture = SliderPicture.draw(randomness: randomness)
        let token = randomness.token(characters: 32, alphabet: .hexadecimal)
        let now = clock.now
        let challenge = SingleUse(
            purpose: .challenge, key: Digest256.of(Array(token.utf8)), client: caller.client.id, device: caller.device,
            content: SliderPoint(x: picture.x, y: picture.y).stored, created: now, expires: now + lifetimes.challenge)
        try await store.settle { store -> Result<Void, ServiceError> in
            if let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
            try budget.record(at: now, in: store)
            try store.save(challenge)
            return .success(())
        }
        return SliderChallenge(
            token: token, originalImage: picture.background, jigsawImage: picture.piece, expire: lifetimes.challenge,
            width: SliderPicture.width, height: SliderPicture.height, blockWidth: SliderPicture.blockWidth)
    }

    /// Judges a solution. A challenge is judged once, rightly or wrongly.
    ///
    /// - Parameters:
    ///   - sender: the number that an SMS shall go to; the token is for no other.
    ///   - track: the way of the pointer; held against ``SliderTrack`` if there is one.
    /// - Returns: the captcha token.
    /// - Throws: `IDAAS.SDK.SMS.1002` for a point that is none, `IDAAS.SDK.SMS.1003` for a wrong one and for a challenge that is used
    ///   up, over, another's or unheard of; COMMON.1001 and 1002; `IDAAS.SDK.RATE.1001`.
    package func verify(
        token: String, pointJSON: String, sender: String, track: String?, for caller: Caller
    ) async throws -> String {
        guard !pointJSON.isEmpty else { throw ServiceError(.missingParameter, "point_json") }
        guard !token.isEmpty else { throw ServiceError(.missingParameter, "token") }
        let number = try areaCodes.number(sender, parameter: "sender")
        guard let point = SliderPoint(json: pointJSON) else { throw ServiceError(.sliderUnreadable, Self.kind) }
        let tracks = try track.map { try Self.track($0, endingAt: point) } ?? true
        let worth = captchaToken(from: token, pointJSON, for: caller.client)
        let (now, key, limits) = (clock.now, Digest256.of(Array(token.utf8)), limits)
        let reward = SingleUse(
            purpose: .captchaToken, key: Digest256.of(Array(worth.utf8)), client: caller.client.id, device: caller.device,
            subject: number.text, created: now, expires: now + lifetimes.captchaToken)
        return try await store.settle { store -> Result<String, ServiceError> in
            if let refusal = try limits.wrongCaptchaBudget(of: caller, number).refusal(at: now, in: store) { return .failure(refusal) }
            let mismatch = ServiceError(.sliderMismatch, Self.kind)
            guard let challenge = try store.singleUse(.challenge, key), challenge.belongs(to: caller),
                try store.consume(.challenge, key, at: now, outcome: nil)
            else { return .failure(mismatch) }
            guard tracks, let place = SliderPoint(json: String(decoding: challenge.content, as: UTF8.self)), point.fits(place) else {
                try limits.countWrongCaptcha(of: caller, number, at: now, in: store)
                return .failure(mismatch)
            }
            try store.save(reward)
            return .success(worth)
        }
    }

    private static func track(_ json: String, endingAt point: SliderPoint) throws -> Bool {
        guard let track = SliderTrack(json: json) else { throw ServiceError(.invalidFormat, "track") }
        return track.isPlausible(width: SliderPicture.width, endingAt: point.x)
    }

    /// Opaque; or in the notation of AJ-Captcha, which is worth as little unless it is in the store.
    private func captchaToken(from token: String, _ pointJSON: String, for client: Client) -> String {
        client.settings.compatibleCaptchaToken ? "\(token)---\(pointJSON)" : randomness.token(characters: 32, alphabet: .base62)
    }
}
#endif
