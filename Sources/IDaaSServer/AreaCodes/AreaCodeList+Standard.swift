package import IDaaSWire

extension AreaCodeList {
    /// The countries of the SDK documents, verbatim. Two patterns have mistakes: a class with commas and an open end. Patterns match whole
    /// numbers, and the matched text is read strictly.
    package static let standard = AreaCodeList(
        rows.map { code, country, english, simplified, traditional, pattern in
            AreaCode(
                code: code, country: country, names: ["zh-TW": traditional, "en": english, "zh-CN": simplified], mobileRegex: pattern)
        }, preferredCountry: "CN")

    private static let rows = [
        ("86", "CN", "China", "中国大陆", "中國大陸", #"^(\+86){0,1}\-?1\d{10}$"#),
        ("852", "HK", "Hong Kong", "中国香港", "中國香港", #"^(\+852){1}\-?0{0,1}[1,4,5,6,7,8,9](?:\d{7}|\d{8}|\d{12})$"#),
        ("886", "TW", "Taiwan", "中国台湾", "中國臺灣", #"^(\+886){1}\-?[6,7,9](?:\d{7}|\d{8})$"#),
        ("853", "MO", "Macau", "中国澳门", "中國澳門", #"^(\+853){1}\-?0{0,1}[1,4,5,6,7,8,9](?:\d{7}|\d{8}|\d{12})$"#),
        ("93", "AF", "Afghanistan", "阿富汗", "阿富汗", #"^(\+93){1}\-\d{6,11}"#),
    ]
}
