internal import JWTCore

extension SettingsNode {
    /// Reads a JSON document (RFC 8259). Its values have no lines.
    ///
    /// - Throws: ``SettingsFault`` for a document that is too large or too deep, is not JSON, or has a name twice.
    package static func document(json: Span<UInt8>) throws(SettingsFault) -> SettingsNode {
        let read: Result<SettingsNode, SettingsFault>
        do throws(VerificationError) {
            read = try whole(JSONDocument(parsing: json, maximumBytes: mostBytes))
        } catch {
            throw fault(error, json)
        }
        return try read.get()
    }

    /// A result: two kinds of errors in one place are more than the optimiser of Swift 6.3.1 bears beside a value that is not copied.
    private static func whole(_ document: consuming JSONDocument) -> Result<SettingsNode, SettingsFault> {
        do throws(SettingsFault) {
            return .success(try node(document.root, level: 0))
        } catch {
            return .failure(error)
        }
    }

    private static func fault(_ error: VerificationError, _ json: Span<UInt8>) -> SettingsFault {
        guard error.code != .tokenTooLarge else { return SettingsFault(line: 0, .tooLarge, "has more than \(mostBytes) bytes") }
        var line = 1
        for place in 0..<min(error.offset ?? 0, json.count) where json[place] == UInt8(ascii: "\n") { line += 1 }
        return error.code == .duplicateMember
            ? SettingsFault(line: line, .repeatedName, "a name is set twice")
            : SettingsFault(line: line, .notJSON, "not JSON: \(error.code.summary)")
    }

    private static func node(_ element: borrowing JSONElement, level: Int) throws(SettingsFault) -> SettingsNode {
        guard level < mostLevels else { throw SettingsFault(line: 0, .tooDeep, "nested deeper than \(mostLevels) levels") }
        if element.isObject {
            var members: [Member] = []
            try element.forEachMember { (name, value) throws(SettingsFault) in
                members.append(Member(name: name, at: .unknown, value: try node(value, level: level + 1)))
            }
            return SettingsNode(at: .unknown, content: .section(members))
        }
        guard element.isArray else { return SettingsNode(at: .unknown, content: try scalar(element)) }
        var elements: [SettingsNode] = []
        for position in 0..<element.count {
            if let next = element[position] { elements.append(try node(next, level: level + 1)) }
        }
        return SettingsNode(at: .unknown, content: .list(elements))
    }

    private static func scalar(_ element: borrowing JSONElement) throws(SettingsFault) -> Content {
        if let text = element.string { return .text(text, isQuoted: true) }
        if let flag = element.bool { return .text("\(flag)", isQuoted: false) }
        guard let number = element.number else { return .nothing }
        // From there on two numbers have one double, and a rule would hold for the other one too.
        guard number.magnitude < 0x1p53 else {
            throw SettingsFault(line: 0, .invalidValue, "a number of 2^53 or more is written as a text, in quotation marks")
        }
        // 5.0 and 5 are one number.
        return .text(Int(exactly: number).map { "\($0)" } ?? "\(number)", isQuoted: false)
    }
}
