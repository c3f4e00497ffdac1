#if IDaaS
import IDaaSFlows
import IDaaSServer
import Testing

@Suite("The catalogues of the server and of the flows")
struct CatalogueAgreementTests {
    @Test("They have the same codes")
    func codes() {
        #expect(Set(ErrorCode.allCases.map(\.rawValue)) == Set(ServiceCode.allCases.map(\.rawValue)))
    }

    @Test("They have the same text for each documented code, in both languages")
    func texts() throws {
        for row in ErrorCatalogue.rows where row.code.isDocumented {
            let code = try #require(ServiceCode(rawValue: row.code.rawValue))
            #expect(code.template(in: .english) == row.english)
            #expect(code.template(in: .chinese) == row.chinese)
        }
    }
}
#endif
