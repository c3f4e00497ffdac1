#if IDaaS
import ArgumentParser
import IDaaSServer

/// What is special about an application: common to adding and changing one. What is not said stays as it is.
struct ClientSettingsOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Log in by SMS code.")
    var sms: Bool?
    @Flag(inversion: .prefixedNo, help: "Make a user for a number that has none.")
    var registersUnknownNumbers: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "With --no-registers-unknown-numbers, tell a number without a user so at login. Whoever asks learns who is a user.")
    var revealsUnknownNumbers: Bool?
    @Flag(inversion: .prefixedNo, help: "Give a new session token at each refresh.")
    var rotatesSessionTokens: Bool?
    @Flag(inversion: .prefixedNo, help: "Give captcha tokens in the notation of AJ-Captcha.")
    var compatibleCaptchaToken: Bool?
    @Flag(inversion: .prefixedNo, help: "MGF1 with SHA-1 in X-signature.")
    var signatureMaskSHA1: Bool?

    typealias Setting = any WritableKeyPath<ClientSettings, Bool> & Sendable

    /// What was said.
    var changes: [(setting: Setting, value: Bool)] {
        let all: [(Setting, Bool?)] = [
            (\.sms, sms), (\.registersUnknownNumbers, registersUnknownNumbers), (\.revealsUnknownNumbers, revealsUnknownNumbers),
            (\.rotatesSessionTokens, rotatesSessionTokens), (\.compatibleCaptchaToken, compatibleCaptchaToken),
            (\.signatureMaskSHA1, signatureMaskSHA1),
        ]
        return all.compactMap { setting, value in value.map { (setting, $0) } }
    }
}

extension ClientSettings {
    /// What differs from the defaults, as the options say it; nil if nothing does.
    var text: String? {
        let settings: [(name: String, setting: KeyPath<ClientSettings, Bool>)] = [
            ("sms", \.sms), ("registers-unknown-numbers", \.registersUnknownNumbers),
            ("reveals-unknown-numbers", \.revealsUnknownNumbers), ("rotates-session-tokens", \.rotatesSessionTokens),
            ("compatible-captcha-token", \.compatibleCaptchaToken), ("signature-mask-sha1", \.signatureMaskSHA1),
        ]
        let standard = ClientSettings()
        let special = settings.filter { self[keyPath: $0.setting] != standard[keyPath: $0.setting] }
            .map { self[keyPath: $0.setting] ? $0.name : "no-\($0.name)" }
        return special.isEmpty ? nil : special.joined(separator: ",")
    }
}
#endif
