#if IDaaS
extension AreaCodes {
    /// The countries of the SDK documents, to the letter. The patterns have their defects (a class that takes a comma, an end that is
    /// open): they are matched whole, and what they match is read strictly.
    package static func standard() throws -> AreaCodes { try AreaCodes(documented, preferred: "CN") }

    private static let documented = [
        AreaCode(
            areaCode: "86", displayMapping: ["zh-TW": "中國大陸", "en": "China", "zh-CN": "中国大陆"], countryCode: "CN",
            mobileRegex: #"^(\+86){0,1}\-?1\d{10}$"#),
        AreaCode(
            areaCode: "852", displayMapping: ["zh-TW": "中國香港", "en": "Hong Kong", "zh-CN": "中国香港"], countryCode: "HK",
            mobileRegex: #"^(\+852){1}\-?0{0,1}[1,4,5,6,7,8,9](?:\d{7}|\d{8}|\d{12})$"#),
        AreaCode(
            areaCode: "886", displayMapping: ["zh-TW": "中國臺灣", "en": "Taiwan", "zh-CN": "中国台湾"], countryCode: "TW",
            mobileRegex: #"^(\+886){1}\-?[6,7,9](?:\d{7}|\d{8})$"#),
        AreaCode(
            areaCode: "853", displayMapping: ["zh-TW": "中國澳門", "en": "Macau", "zh-CN": "中国澳门"], countryCode: "MO",
            mobileRegex: #"^(\+853){1}\-?0{0,1}[1,4,5,6,7,8,9](?:\d{7}|\d{8}|\d{12})$"#),
        AreaCode(
            areaCode: "93", displayMapping: ["zh-TW": "阿富汗", "en": "Afghanistan", "zh-CN": "阿富汗"], countryCode: "AF",
            mobileRegex: #"^(\+93){1}\-\d{6,11}"#),
    ]
}
#endif
