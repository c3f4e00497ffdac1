import JWKSCache
import Testing

struct CacheDirectivesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [String]
        /// Seconds by the default policy, counted from now.
        let lifetime: Int64

        init(_ lifetime: Int64, _ fields: String...) {
            self.fields = fields
            self.lifetime = lifetime
        }

        var testDescription: String { fields.joined(separator: " | ") }

        var response: ReceivedResponse {
            ReceivedResponse(
                status: 200,
                fields: fields.map { field in
                    let parts = field.split(separator: ":", maxSplits: 1)
                    return HeaderField(String(parts[0]), String(parts[1].drop { $0 == " " }))
                })
        }
    }

    private static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(arguments: [
        Row(300), Row(300, "Cache-Control: public"), Row(300, "Cache-Control: max-age=NaN"), Row(300, "Cache-Control: max-age=-5"),
        Row(300, "Cache-Control: max-age"), Row(300, "Cache-Control: max-age=1e9"), Row(300, "Cache-Control: s-maxage=900"),
        Row(300, "Cache-Control: ,,;=,\"=\""), Row(300, "Cache-Control: x-max-age=900"),
        Row(900, "Cache-Control: max-age=900"), Row(900, "cache-control: PUBLIC, MAX-AGE=900, must-revalidate"),
        Row(900, "Cache-Control: max-age=\"900\""), Row(900, "Cache-Control: max-age = 900"),
        Row(900, "Cache-Control: public", "Cache-Control: max-age=900"),
        Row(600, "Cache-Control: max-age=900, max-age=600"), Row(600, "Cache-Control: max-age=600", "Cache-Control: max-age=900"),
        Row(60, "Cache-Control: max-age=0"), Row(60, "Cache-Control: max-age=59"), Row(60, "Cache-Control: no-store"),
        Row(60, "Cache-Control: no-cache"), Row(60, "Cache-Control: max-age=900, no-store"),
        Row(60, "Cache-Control: no-cache, max-age=900"),
        Row(3_600, "Cache-Control: max-age=315360000"), Row(3_600, "Cache-Control: max-age=99999999999999999999999999"),
        Row(3_600, "Cache-Control: max-age=7776000, immutable"),
        Row(800, "Cache-Control: max-age=900", "Age: 100"), Row(60, "Cache-Control: max-age=900", "Age: 900"),
        Row(60, "Cache-Control: max-age=900", "Age: 99999999999999999999"), Row(900, "Cache-Control: max-age=900", "Age: -3"),
        Row(200, "Age: 100"), Row(200, "Age: 100", "Age: 7"), Row(200, "Age: 100, x"), Row(300, "Age: x, 100"), Row(300, "Age: ,"),
        Row(600, date, "Expires: Sun, 06 Nov 1994 08:59:37 GMT"), Row(600, date, "Expires: Sunday, 06-Nov-94 08:59:37 GMT"),
        Row(600, date, "Expires: Sun Nov  6 08:59:37 1994"), Row(500, date, "Expires: Sun, 06 Nov 1994 08:59:37 GMT", "Age: 100"),
        Row(60, date, "Expires: 0"), Row(60, date, "Expires: Sun, 06 Nov 1994 08:00:00 GMT"), Row(60, "Expires: -1"),
        Row(300, "Expires: Sun, 06 Nov 1994 08:59:37 GMT"),
        Row(900, date, "Cache-Control: max-age=900", "Expires: Sun, 06 Nov 1994 08:49:37 GMT"),
        Row(3_600, date, "Expires: Sun, 06 Nov 2094 08:49:37 GMT"),
    ])
    func theLifetimeIsReadFromTheFields(_ row: Row) {
        #expect(RefreshPolicy.availabilityFirst.lifetime(CacheDirectives(row.response)) == .seconds(row.lifetime))
    }

    @Test(
        arguments: [
            ("Retry-After: 120", 120), ("Retry-After:  7 ", 7), ("Retry-After: soon", nil), ("Retry-After: -1", nil), ("X: 1", nil),
            ("Retry-After: 86400", 86_400),
        ] as [(String, Int64?)])
    func retryAfter(_ field: String, _ seconds: Int64?) {
        #expect(CacheDirectives.retryAfter(Row(0, field).response) == seconds.map { .seconds($0) })
    }

    @Test func retryAfterADateCountsFromTheSourcesOwnClock() {
        let row = Row(0, Self.date, "Retry-After: Sun, 06 Nov 1994 08:50:37 GMT")
        #expect(CacheDirectives.retryAfter(row.response) == .seconds(60))
        #expect(CacheDirectives.retryAfter(Row(0, "Retry-After: Sun, 06 Nov 1994 08:50:37 GMT").response) == nil)
    }

    @Test func validatorsAreTakenAsTheyAreOrNotAtAll() {
        #expect(CacheDirectives(Row(0, "ETag: W/\"a b\"").response).entityTag == "W/\"a b\"")
        #expect(CacheDirectives(Row(0, "ETag: \"\u{7f}\"").response).entityTag == nil)
        #expect(CacheDirectives(Row(0, "ETag: \"a\r\nX: y\"").response).entityTag == nil)
        #expect(CacheDirectives(Row(0, "ETag: \"\(String(repeating: "a", count: 300))\"").response).entityTag == nil)
    }

    /// RFC 9110 section 13.1.2: an asterisk matches every representation.
    @Test func anAsteriskIsNoTag() {
        #expect(CacheDirectives(Row(0, "ETag: *").response).entityTag == nil)
        #expect(CacheDirectives(Row(0, "ETag: \"*\"").response).entityTag == "\"*\"")
    }

    /// RFC 9110 section 8.8.2.2: within the second of its date a document may have changed twice.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:36 GMT", true), ("Sun, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
            ("release 7", true),
        ])
    func aDateOfTheSameSecondIsNoValidator(text: String, isOne: Bool) {
        let field = "Last-Modified: \(text)"
        #expect(CacheDirectives(Row(0, Self.date, field).response).lastModified == (isOne ? text : nil))
        #expect(CacheDirectives(Row(0, field).response).lastModified == text)
    }

    /// Hostile header fields never cause a trap: random fields over the alphabet of the grammar.
    @Test func noFieldTraps() {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array("max-age=no-store,\"0123456789 :GMTSunNov-;\t\u{e9}é".unicodeScalars)
        for _ in 0..<20_000 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...40, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "0" }))
            let fields = ["Cache-Control", "Expires", "Date", "Age", "Retry-After", "ETag"].map { HeaderField($0, text) }
            let response = ReceivedResponse(status: 200, fields: fields)
            let lifetime = RefreshPolicy.availabilityFirst.lifetime(CacheDirectives(response))
            #expect(lifetime >= .seconds(60) && lifetime <= .seconds(3_600))
            _ = CacheDirectives.retryAfter(response)
        }
    }
}

struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Tuesday, 19-Jan-38 03:14:08 GMT", 2_147_483_648),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ] as [(String, Int64)])
    func allThreeFormsAreRead(_ text: String, _ seconds: Int64) { #expect(HTTPDate(text)?.seconds == seconds) }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
        "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov ١٩٩٤ 08:49:37 GMT",
    ])
    func anythingElseIsNoDate(_ text: String) { #expect(HTTPDate(text) == nil) }
}
