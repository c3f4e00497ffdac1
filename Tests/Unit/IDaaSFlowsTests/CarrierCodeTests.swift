import IDaaSFlows
import IDaaSWire
import Testing

@Suite struct CarrierCodeTests {
    /// Meanings with their old and their new number, and the codes that have them: the document's, the other codes of its SDK's headers, those
    /// of later SDKs, and those of carriers. `-` is no callback.
    static let rows: [(CarrierMeaning, legacy: String, modern: String, codes: [String])] = [
        (.success, "6666", "600000", ["6666", "6668", "600000"]), (.timedOut, "5555", "600015", ["5555", "600015"]),
        (.carrier, "4444", "600010", ["4444"]), (.parameters, "3344", "600025", ["3344", "4433", "600025", "103101"]),
        (.noCellular, "2222", "600008", ["2222", "600008"]), (.noSIM, "1111", "600007", ["1111", "600007"]),
        (.switchMethod, "6669", "700001", ["6669", "700001"]), (.unknown, "4444", "600010", ["3333", "600010", "999999", ""]),
        (.back, "6667", "700000", ["6667", "700000", "200020"]), (.maintenance, "4444", "600013", ["4445", "600013"]),
        (.limited, "4444", "600014", ["4446", "600014", "103911", "105021"]), (.pageShown, "6666", "600001", ["6665", "600001"]),
        (.consentChanged, "-", "700003", ["6670", "700003"]), (.linkPressed, "-", "700004", ["6671", "700004"]),
        (.loginPressed, "6668", "700002", ["6672", "700002"]), (.pageFailed, "4444", "600002", ["600002"]),
        (.configuration, "3344", "600004", ["600004", "105018"]), (.unsafeDevice, "4444", "600005", ["600005"]),
        (.unknownCarrier, "4444", "600009", ["600009"]), (.tokenFailed, "4444", "600011", ["600011"]),
        (.prefetchFailed, "4444", "600012", ["600012"]), (.keyUnreadable, "4444", "600017", ["600017"]),
        (.carrierSwitched, "4444", "600021", ["600021"]), (.customView, "3344", "600023", ["600023"]),
        (.environmentReady, "6666", "600024", ["600024"]), (.pageOpen, "3344", "600026", ["600026"]),
        (.consentPage, "-", "700006", ["700006", "700007", "700008", "700009", "700010"]),
        (.tokenDead, "4444", "600011", ["103902", "104201"]),
    ]

    @Test(arguments: rows.indices)
    func everyCodeHasAMeaningAnOldAndANewNumber(_ index: Int) {
        let (meaning, legacy, modern, codes) = Self.rows[index]
        for code in codes.map({ CarrierCode(rawValue: $0) }) {
            #expect(code.meaning == meaning && code.modern.rawValue == modern && code.meaning.legacyCode ?? "-" == legacy, "\(code)")
        }
    }

    @Test(arguments: CarrierMeaning.allCases)
    func everyMeaningHasASentenceInBothLanguages(_ meaning: CarrierMeaning) {
        #expect(!meaning.text(in: .english).isEmpty && !meaning.text(in: .chinese).isEmpty)
        #expect(meaning.text(in: .english) != meaning.text(in: .chinese))
    }

    @Test
    func aFailureSaysTheSDKsCode() {
        let failure = CarrierFailure(CarrierCode(rawValue: "103101"), "wrong request signature")
        #expect(failure.text(in: .english).contains("103101") && failure.legacyCode == "3344")
        #expect(FlowError(.carrier(failure)).legacyCode == "1" && !FlowError(.carrier(failure)).isRetryable)
        #expect(FlowError(.carrier(CarrierFailure(.timedOut))).isRetryable)
    }

    @Test(arguments: [(0.0, 3.0), (-1, 3), (.nan, 3), (.infinity, 3), (601, 3), (0.5, 0.5), (3, 3), (10, 10)])
    func aTimeoutOfZeroIsTheDefaultOfThreeSeconds(_ seconds: Double, used: Double) {
        #expect(Duration(carrierTimeout: seconds) == .seconds(used))
    }
}
