internal import IDaaSWire
internal import JWTCore

extension SliderChallenge {
    /// Reads the server's document. Missing members get AJ-Captcha's values.
    ///
    /// - Returns: nil for a document without the token or a picture.
    init?(_ value: WireValue, ordinal: Int) {
        guard let token = value[WireMember.token]?.filled, let background = Self.picture(value[WireMember.background]),
            let piece = Self.picture(value[WireMember.piece])
        else { return nil }
        self.init(
            token: token, background: background, piece: piece, width: Self.size(value[WireMember.width], 310),
            height: Self.size(value[WireMember.height], 155), blockWidth: Self.size(value[WireMember.blockWidth], 47),
            lifetime: .seconds(Self.size(value[WireMember.expire], 120)), ordinal: ordinal, secretKey: value[WireMember.secretKey]?.filled)
    }

    private static func picture(_ value: WireValue?) -> [UInt8]? {
        guard let text = value?.text, let picture = Base64.bytes(text, ignoresOthers: true), !picture.isEmpty else { return nil }
        return picture
    }

    private static func size(_ value: WireValue?, _ usual: Int) -> Int {
        guard let number = value?.integer, (1...10_000).contains(number) else { return usual }
        return Int(number)
    }
}
