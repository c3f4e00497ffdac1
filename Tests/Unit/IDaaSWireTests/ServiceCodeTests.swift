import IDaaSWire
import Testing

@Suite struct ServiceCodeTests {
    @Test func everyCodeHasATextOfItsOwnInBothLanguages() {
        for language in Language.allCases {
            let texts = ServiceCode.allCases.map { $0.template(in: language) }
            #expect(Set(texts).count == texts.count)
            #expect(texts.allSatisfy { $0.unicodeScalars.allSatisfy(\.isASCII) == (language == .english) })
        }
    }

    @Test(arguments: ServiceCode.allCases) func bothLanguagesHaveTheSamePlaceholders(_ code: ServiceCode) {
        for placeholder in ["{0}", "{1}", "{2}"] {
            #expect(code.template(in: .english).contains(placeholder) == code.template(in: .chinese).contains(placeholder))
        }
    }

    @Test func theDocumentsList43CodesAndThisProjectAdds11() {
        #expect(ServiceCode.allCases.count { $0.isDocumented } == 43)
        #expect(ServiceCode.allCases.count { !$0.isDocumented } == 11)
    }

    @Test(arguments: ServiceCode.allCases) func onlyTheBusySystemIs500AndOnlyALimitIs429(_ code: ServiceCode) {
        #expect(code.status == (code == .systemBusy ? 500 : code == .rateLimited ? 429 : 400))
    }

    static let texts: [(ServiceCode, Language, [String], String)] = [
        (.missingParameter, .english, ["X-client-id"], "Parameter X-client-id cannot be left blank"),
        (.expired, .chinese, ["session_token"], "session_token 已失效"),
        (.locked, .chinese, ["2", "5"], "由于多次登录失败,用户已被锁定。 它将在 2 分钟和 5 秒内解锁"),
        // A missing argument leaves its place empty, a superfluous one is ignored, and an argument is never read as a template.
        (.expired, .english, [], "The  has failed"), (.userNotBound, .english, ["a"], "User not bound"),
        (.expired, .english, ["{0}"], "The {0} has failed"),
        (.locked, .chinese, ["{1}", "5"], "由于多次登录失败,用户已被锁定。 它将在 {1} 分钟和 5 秒内解锁"),
    ]

    @Test(arguments: texts)
    func argumentsStandWhereTheTemplateSays(_ code: ServiceCode, language: Language, arguments: [String], text: String) {
        #expect(code.text(in: language, arguments) == text)
    }

    static let spellings: [(String, ServiceCode?)] = [
        ("IDAAS.SDK.COMMON.1005", .expired), ("SDK.COMMON.1005", .expired), ("IDAAS.SDK.PARAM.0023", .expired), ("COM.0217", .expired),
        ("IDAAS.SDK.PARAM.0001", .incompleteDevice), ("SDK.PARAM.0001", .incompleteDevice), ("IDAAS.SDK.CAPTCHA.0002", .captchaIncorrect),
        ("IDAAS.SDK.CAPTCHA.0006", .sendingFailed), ("IDAAS.SDK.CAPTCHA.0007", .smsCodeIncorrect), ("IDAAS.SDK.COMMON.9999", nil),
        ("1005", nil),
    ]

    @Test(arguments: spellings) func codeIsKnown(_ wire: String, code: ServiceCode?) { #expect(ServiceCode(wire: wire) == code) }

    @Test(.enabled(if: SDKDocuments.folder != nil, "set ASSAY_SDK_DOCS to the folder of the SDK documents"))
    func theDocumentsHaveTheSameCodesAndTexts() throws {
        let folder = try #require(SDKDocuments.folder)
        let listed = try SDKDocuments.errors(in: folder + "/biometric-mfa.zh.txt")
        #expect(listed.count == 43)
        for code in ServiceCode.allCases where code.isDocumented {
            let row = SDKDocuments.Row(status: code.status, english: code.template(in: .english), chinese: code.template(in: .chinese))
            #expect(listed[code.rawValue] == row)
        }
        for file in ["biometric-mfa.en.txt", "sms-login.en.txt", "wechat-login.en.txt"] {
            let english = try SDKDocuments.errors(in: "\(folder)/\(file)")
            #expect(english.count == 43, "\(file)")
            for (code, row) in english {
                let code = try #require(ServiceCode(rawValue: code), "\(file) lists \(code)")
                #expect(row.english == code.template(in: .english) && row.status == code.status, "\(file)")
            }
        }
    }
}
