import ArgumentParser

/// A whole number on the command line: decimal digits without a sign, a blank or a leading zero, which others read as octal.
enum NumberArgument {
    static func int64(_ text: String) throws -> Int64 {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text == "0" || text.utf8.first != UInt8(ascii: "0"),
            let number = Int64(text)
        else { throw ValidationError("a number is written with the digits 0 to 9, without a leading zero") }
        return number
    }

    static func int(_ text: String) throws -> Int { Int(try int64(text)) }
}
