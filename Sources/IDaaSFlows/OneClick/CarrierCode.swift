/// A result code of a carrier's SDK: of the SDK document (`6666`), of later SDKs (`600000`), or a carrier's own (`103101`).
public struct CarrierCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// `unknown` for a code that no table has.
    public var meaning: CarrierMeaning { Self.meanings[rawValue] ?? .unknown }

    /// The code of later SDKs for this one: itself, if it is one.
    public var modern: CarrierCode { Self.modernCodes[meaning].map { CarrierCode(rawValue: $0) } ?? CarrierCode(rawValue: "600010") }

    /// Every code with its meaning, in the order of their numbers.
    static let table: [(code: String, meaning: CarrierMeaning)] = [
        // The SDK document, and the headers of its SDK
        ("1111", .noSIM), ("2222", .noCellular), ("3333", .unknown), ("3344", .parameters), ("4433", .parameters), ("4444", .carrier),
        ("4445", .maintenance), ("4446", .limited), ("5555", .timedOut), ("6665", .pageShown), ("6666", .success), ("6667", .back),
        ("6668", .success), ("6669", .switchMethod), ("6670", .consentChanged), ("6671", .linkPressed), ("6672", .loginPressed),
        // Later SDKs
        ("600000", .success), ("600001", .pageShown), ("600002", .pageFailed), ("600004", .configuration), ("600005", .unsafeDevice),
        ("600007", .noSIM), ("600008", .noCellular), ("600009", .unknownCarrier), ("600010", .unknown), ("600011", .tokenFailed),
        ("600012", .prefetchFailed), ("600013", .maintenance), ("600014", .limited), ("600015", .timedOut), ("600017", .keyUnreadable),
        ("600021", .carrierSwitched), ("600023", .customView), ("600024", .environmentReady), ("600025", .parameters),
        ("600026", .pageOpen), ("700000", .back), ("700001", .switchMethod), ("700002", .loginPressed), ("700003", .consentChanged),
        ("700004", .linkPressed), ("700006", .consentPage), ("700007", .consentPage), ("700008", .consentPage), ("700009", .consentPage),
        ("700010", .consentPage),
        // Carriers
        ("103101", .parameters), ("103902", .tokenDead), ("103911", .limited), ("104201", .tokenDead), ("105018", .configuration),
        ("105021", .limited), ("200020", .back),
    ]

    private static let meanings = Dictionary(uniqueKeysWithValues: table)

    private static let modernCodes: [CarrierMeaning: String] = [
        .success: "600000", .pageShown: "600001", .environmentReady: "600024", .back: "700000", .switchMethod: "700001",
        .loginPressed: "700002", .consentChanged: "700003", .linkPressed: "700004", .consentPage: "700006", .noSIM: "600007",
        .noCellular: "600008", .timedOut: "600015", .parameters: "600025", .configuration: "600004", .carrier: "600010",
        .unknownCarrier: "600009", .carrierSwitched: "600021", .prefetchFailed: "600012", .tokenFailed: "600011", .tokenDead: "600011",
        .pageFailed: "600002", .pageOpen: "600026", .customView: "600023", .unsafeDevice: "600005", .maintenance: "600013",
        .limited: "600014", .keyUnreadable: "600017", .consentMissing: "600025", .unknown: "600010",
    ]
}

extension CarrierCode {
    public static let success = Self(rawValue: "600000")
    public static let pageShown = Self(rawValue: "600001")
    public static let noSIM = Self(rawValue: "600007")
    public static let noCellular = Self(rawValue: "600008")
    public static let unknownCarrier = Self(rawValue: "600009")
    public static let unknown = Self(rawValue: "600010")
    public static let tokenFailed = Self(rawValue: "600011")
    public static let timedOut = Self(rawValue: "600015")
    public static let carrierSwitched = Self(rawValue: "600021")
    public static let parameters = Self(rawValue: "600025")
    public static let pageOpen = Self(rawValue: "600026")
    public static let back = Self(rawValue: "700000")
    public static let switchMethod = Self(rawValue: "700001")
    public static let loginPressed = Self(rawValue: "700002")
    public static let consentChanged = Self(rawValue: "700003")
    public static let linkPressed = Self(rawValue: "700004")
}
