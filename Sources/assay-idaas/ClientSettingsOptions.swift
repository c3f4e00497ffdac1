import ArgumentParser
import IDaaSServer

/// The settings of an application, for the commands that add or change one. An absent option leaves its setting unchanged.
struct ClientSettingsOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Log in by SMS code.")
    var sms: Bool?
    @Flag(inversion: .prefixedNo, help: "Create a user for an unknown number.")
    var registersUnknownNumbers: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "With --no-registers-unknown-numbers, report an unknown number at login. This shows anyone which numbers have users.")
    var revealsUnknownNumbers: Bool?
    @Flag(inversion: .prefixedNo, help: "Issue a new session token at each refresh.")
    var rotatesSessionTokens: Bool?
    @Flag(inversion: .prefixedNo, help: "Issue captcha tokens in the format of AJ-Captcha.")
    var compatibleCaptchaToken: Bool?
    @Flag(inversion: .prefixedNo, help: "Use MGF1 with SHA-1 in X-signature.")
    var signatureMaskSHA1: Bool?

    @Flag(inversion: .prefixedNo, help: "Log in by password.")
    var password: Bool?
    @Option(help: "When a password login asks for a second factor: never, whenBound or always.")
    var secondFactor: SecondFactorPolicy.Demand?
    @Flag(inversion: .prefixedNo, help: "Show a number on the PC that the phone's user has to type.")
    var matchesNumbers: Bool?

    typealias Setting = any WritableKeyPath<ClientSettings, Bool> & Sendable

    /// The settings that the options change.
    var changes: [(setting: Setting, value: Bool)] {
        let all: [(Setting, Bool?)] = [
            (\.sms, sms), (\.registersUnknownNumbers, registersUnknownNumbers), (\.revealsUnknownNumbers, revealsUnknownNumbers),
            (\.rotatesSessionTokens, rotatesSessionTokens), (\.compatibleCaptchaToken, compatibleCaptchaToken),
            (\.signatureMaskSHA1, signatureMaskSHA1), (\.password, password), (\.secondFactor.matchesNumbers, matchesNumbers),
        ]
        return all.compactMap { setting, value in value.map { (setting, $0) } }
    }

    var isEmpty: Bool { changes.isEmpty && secondFactor == nil }

    /// Applies the options to the settings of a client.
    var change: @Sendable (inout ClientSettings) -> Void {
        { [changes, secondFactor] settings in
            for change in changes { settings[keyPath: change.setting] = change.value }
            if let secondFactor { settings.secondFactor.demand = secondFactor }
        }
    }
}

extension SecondFactorPolicy.Demand: ExpressibleByArgument {}

extension ClientSettings {
    /// The settings that differ from the defaults, by option name; nil if none differs.
    var text: String? {
        let settings: [(name: String, setting: KeyPath<ClientSettings, Bool>)] = [
            ("sms", \.sms), ("registers-unknown-numbers", \.registersUnknownNumbers),
            ("reveals-unknown-numbers", \.revealsUnknownNumbers), ("rotates-session-tokens", \.rotatesSessionTokens),
            ("compatible-captcha-token", \.compatibleCaptchaToken), ("signature-mask-sha1", \.signatureMaskSHA1),
            ("password", \.password), ("matches-numbers", \.secondFactor.matchesNumbers),
        ]
        let standard = ClientSettings()
        let special = settings.filter { self[keyPath: $0.setting] != standard[keyPath: $0.setting] }
            .map { self[keyPath: $0.setting] ? $0.name : "no-\($0.name)" }
        return special.isEmpty ? nil : special.joined(separator: ",")
    }
}
