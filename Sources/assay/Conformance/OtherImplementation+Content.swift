import JWTCore

/// A question about a status list is `{id, kind: "statuslists", list, uri, index, keys, policy, now}`, and its answer has the `status`. One
/// about a referenced token has `referenced_token`, and its answer `uri` and `index`, or neither if the status is in no list. A question
/// about events is `{id, kind: "events", event, keys, policy, now}`; its answer may have `events`, their names. One about a request is
/// `{id, kind: "dpop", method, url, authorization, proofs, earlier, keys, policy, now}`. One about a certificate is
/// `{id, kind: "certificates", access_token, certificate, keys, policy, now}`. One about an encrypted token is
/// `{id, kind: "encrypted", encrypted, keys, decryption_keys, policy, now}`; its answer may have the `content`.
extension OtherImplementation {
    func note(_ file: StatusListFile, _ answers: [String: Answer], _ report: inout ConformanceReport) {
        for vector in file.cases {
            let answer = answers[vector.id]
            let isList = vector.list != nil
            let content = answer.map { isList ? StatusListFile.Case.text($0.status) : StatusListFile.Case.place($0.uri, $0.index) }
            note(file.path, vector.id, vector.severity, vector.expect, vector.content, answer?.verdict, content, &report)
        }
    }

    func note(_ file: SecurityEventFile, _ answers: [String: Answer], _ report: inout ConformanceReport) {
        for vector in file.cases {
            let answer = answers[vector.id]
            let content = answer?.events.map(SecurityEventFile.Case.text) ?? vector.content
            note(file.path, vector.id, vector.severity, vector.expect, vector.content, answer?.verdict, content, &report)
        }
    }

    func note(_ file: ProofFile, _ answers: [String: Answer], _ report: inout ConformanceReport) {
        for vector in file.cases {
            let expected = vector.expect == "valid" ? "valid" : "invalid"
            note(file.path, vector.id, vector.severity, expected, answers[vector.id]?.verdict, &report)
        }
    }

    func note(_ file: CertificateFile, _ answers: [String: Answer], _ report: inout ConformanceReport) {
        for vector in file.cases {
            let expected = vector.expect == "valid" ? "valid" : "invalid"
            note(file.path, vector.id, vector.severity, expected, answers[vector.id]?.verdict, &report)
        }
    }

    func note(_ file: EncryptedTokenFile, _ answers: [String: Answer], _ report: inout ConformanceReport) {
        for vector in file.cases {
            let answer = answers[vector.id], expected = vector.content ?? ""
            note(file.path, vector.id, vector.severity, vector.expect, expected, answer?.verdict, answer?.content ?? expected, &report)
        }
    }

    /// Compares what was read where both say that the case is valid, and the verdicts otherwise.
    func note(
        _ path: String, _ id: String, _ severity: String, _ expect: String, _ expected: String, _ verdict: String?, _ got: String?,
        _ report: inout ConformanceReport
    ) {
        let bothAreValid = expect == "valid" && verdict == "valid"
        note(path, id, severity, bothAreValid ? expected : expect == "valid" ? "valid" : "invalid", bothAreValid ? got : verdict, &report)
    }

    static func questions(_ file: StatusListFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["kind"] = .string(VectorKind.statuslists.rawValue)
            question["referenced_token"] = vector.referencedToken.map(JSONTree.string)
            guard let list = vector.list else { return JSONTree.object(question).json + "\n".utf8 }
            question["list"] = .string(list)
            // In a case about a referenced token, these are the answer.
            question["uri"] = vector.uri.map(JSONTree.string)
            question["index"] = vector.index.map { .number("\($0)") }
            return JSONTree.object(question).json + "\n".utf8
        }
    }

    static func questions(_ file: SecurityEventFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["kind"] = .string(VectorKind.events.rawValue)
            question["event"] = .string(vector.event)
            return JSONTree.object(question).json + "\n".utf8
        }
    }

    static func questions(_ file: ProofFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["kind"] = .string(VectorKind.dpop.rawValue)
            question["method"] = .string(vector.method)
            question["url"] = .string(vector.url)
            question["authorization"] = vector.authorization.map(JSONTree.string)
            question["proofs"] = .array(vector.proofs.map(JSONTree.string))
            question["earlier"] = .array((vector.earlier ?? []).map(JSONTree.string))
            return JSONTree.object(question).json + "\n".utf8
        }
    }

    static func questions(_ file: CertificateFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["kind"] = .string(VectorKind.certificates.rawValue)
            question["access_token"] = .string(vector.accessToken)
            question["certificate"] = vector.certificate.map(JSONTree.string)
            return JSONTree.object(question).json + "\n".utf8
        }
    }

    static func questions(_ file: EncryptedTokenFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["kind"] = .string(VectorKind.encrypted.rawValue)
            question["encrypted"] = .string(vector.token)
            return JSONTree.object(question).json + "\n".utf8
        }
    }
}
