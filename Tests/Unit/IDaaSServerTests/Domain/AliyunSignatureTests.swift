import IDaaSServer
import Testing

struct AliyunSignatureTests {
    /// The fixed example of "Request syntax and signature method V3" (Alibaba Cloud SDK documentation).
    private static let example = AliyunSignature.Call(
        query: ["ImageId": "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd", "RegionId": "cn-shanghai"],
        fields: [
            "host": "ecs.cn-shanghai.aliyuncs.com", "x-acs-action": "RunInstances",
            "x-acs-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "x-acs-date": "2023-10-26T10:22:32Z", "x-acs-signature-nonce": "3156853299f313e23d1673dc12e1703d",
            "x-acs-version": "2014-05-26",
        ])

    private static let signature = AliyunSignature(accessKeyID: "YourAccessKeyId", secret: "YourAccessKeySecret")

    @Test
    func theVendorsExampleHasTheVendorsSignature() {
        let names = "host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version"
        #expect(
            Self.signature.authorization(of: Self.example)
                == "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=\(names),"
                + "Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0")
    }

    @Test
    func everyPartOfACallChangesItsSignature() {
        var calls = [AliyunSignature.Call](repeating: Self.example, count: 6)
        calls[0].query["RegionId"] = "cn-beijing"
        calls[1].fields["x-acs-action"] = "GetMobile"
        calls[2].fields["x-acs-signature-nonce"] = "0"
        calls[3].fields["host"] = "other"
        calls[4].method = "GET"
        calls[5].body = [0]
        #expect(Set((calls + [Self.example]).map(Self.signature.authorization)).count == 7)
    }

    @Test
    func aQueryIsEncodedByRFC3986() {
        var call = Self.example
        call.query = ["b": "v=a b*c~d/e+中", "a": ""]
        #expect(call.queryText == "a=&b=v%3Da%20b%2Ac~d%2Fe%2B%E4%B8%AD")
    }
}
