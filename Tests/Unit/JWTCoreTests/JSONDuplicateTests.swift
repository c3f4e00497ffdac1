import JWTCore
import Testing

struct JSONDuplicateTests {
    @Test(arguments: [
        (#"{"sub":1,"sub":1}"#, 9), (#"{"a":1,"\u0061":2}"#, 7), (#"{"\u0061":1,"a":2}"#, 12), (#"{"":1,"":2}"#, 6),
        (#"{"a":1,"b":2,"c":{"a":1,"a":2}}"#, 24), (#"[{"a":1,"a":2}]"#, 8), (#"{"a":{"a":{}},"a":0}"#, 14), (#"{"\n":1,"\u000a":2}"#, 8),
        (#"{"/":1,"\/":2}"#, 7), (#"{"\ud83d\ude00":1,"😀":2}"#, 18), (#"{"\u00E9":1,"\u00e9":2}"#, 12), (#"{"é":1,"\u00e9":2}"#, 8),
        (#"{"a\u0000":1,"a\u0000":2}"#, 13), (#"{"a" : 1 , "a" : 2}"#, 11), (#"{"a":[{"x":1}],"b":{},"a":3}"#, 22),
    ])
    func oneNameTwiceInAnObjectIsRefusedHoweverItIsWritten(text: String, offset: Int) {
        #expect(reading(text) == "duplicate_member@\(offset)")
    }

    @Test(arguments: [
        #"{"a":1,"A":2}"#, #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#, #"{"a":1,"a\u0000":2}"#, #"{"\u00e9":1,"e\u0301":2}"#,
        #"{"a":"a","b":"a"}"#, #"{"":1," ":2}"#, #"{"a":1,"b":{"a":1},"c":[{"a":1}]}"#, #"{"\\u0061":1,"a":2}"#, #"{"K":1,"\u212a":2}"#,
    ])
    func namesThatOnlyLookAlikeAreTwo(text: String) {
        #expect(reading(text) == "valid")
    }

    @Test(arguments: 1...16)
    func duplicatesAreRefusedAtEveryDepth(depth: Int) {
        let opening = String(repeating: #"{"a":"#, count: depth - 1), closing = String(repeating: "}", count: depth - 1)
        #expect(reading(#"\#(opening){"x":0,"y":0}\#(closing)"#) == "valid")
        #expect(reading(#"\#(opening){"x":0,"x":0}\#(closing)"#) == "duplicate_member@\(opening.count + 7)")
        // Also after a nested object, among the names of the outer one.
        #expect(reading(#"\#(opening){"x":{"y":0},"x":0}\#(closing)"#).hasPrefix(depth < 16 ? "duplicate_member@" : "nesting_too_deep@"))
    }

    /// Names of one length with equal first, middle and last bytes: each must be compared fully.
    @Test(arguments: [5, 9, 31, 32, 33, 64])
    func namesOfOneFingerprintAreToldApart(length: Int) {
        let names = (0..<250).map { number in
            var name = Array(repeating: UInt8(ascii: "x"), count: length)
            name[1] = UInt8(ascii: "a") + UInt8(number % 16)
            name[length - 2] = UInt8(ascii: "a") + UInt8(number / 16)
            return String(decoding: name, as: UTF8.self)
        }
        let object = names.map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(reading("{\(object)}") == "valid")
        for name in names { #expect(reading("{\(object),\"\(name)\":0}") == "duplicate_member@\(object.utf8.count + 2)") }
        #expect(reading("{\(object),\"\(escaped(names[249]))\":0}") == "duplicate_member@\(object.utf8.count + 2)")
    }

    /// Up to several times the number of names that are compared one by one, in one object and in nested objects.
    @Test(arguments: [14, 15, 16, 17, 18, 30, 31, 32, 33, 34, 100, 250], [false, true])
    func oneOfManyNamesTwiceIsRefused(count: Int, isEscaped: Bool) {
        let names = (0..<count).map { isEscaped ? escaped("n\($0)") : "n\($0)" }
        let nested = names.map { #""\#($0)":{"\#($0)":0,"a":0}"# }.joined(separator: ",")
        #expect(reading("{\(nested)}") == "valid")
        for name in names {
            #expect(reading("{\(nested),\"\(name)\":0}") == "duplicate_member@\(nested.utf8.count + 2)")
            let inner = names.filter { $0 != name }.map { "\"\($0)\":0" }.joined(separator: ",")
            #expect(reading("{\"\(name)\":{\(inner)},\(inner)}") == "valid")
        }
    }

    /// Several objects with many names in one text: the names of one do not count for another.
    @Test
    func objectsOfManyNamesDoNotKnowEachOthers() {
        let object = "{\((0..<60).map { "\"n\($0)\":0" }.joined(separator: ","))}"
        let objects = Array(repeating: object, count: 12).joined(separator: ",")
        #expect(reading("[\(objects)]") == "valid")
        #expect(reading(#"{"a":[\#(objects)],"b":\#(object),"a":0}"#).hasPrefix("duplicate_member@"))
    }

    private func escaped(_ text: String) -> String {
        text.utf16.map { "\\u00\(String($0, radix: 16))" }.joined()
    }
}
