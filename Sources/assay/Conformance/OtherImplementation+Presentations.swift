import JWTCore

/// A question about a presentation is `{id, kind: "selective", presentation, keys, policy, now}`; its answer may have the `claims`. One about
/// a document is `{id, kind: "documents", document, keys, policy, now}`, with `detached` where the payload is not in it; its answer may have
/// the `payload` and `signatures`.
extension OtherImplementation {
    func note(_ file: PresentationFile, _ answers: [String: Answer], _ report: inout ConformanceReport) {
        for vector in file.cases {
            let answer = answers[vector.id]
            let content = answer?.claims.map(PresentationFile.Case.text) ?? vector.content
            note(file.path, vector.id, vector.severity, vector.expect, vector.content, answer?.verdict, content, &report)
        }
    }

    func note(_ file: SignedDocumentFile, _ answers: [String: Answer], _ report: inout ConformanceReport) {
        for vector in file.cases {
            let answer = answers[vector.id]
            let content = SignedDocumentFile.Case.text(answer?.payload ?? vector.payload, answer?.signatures ?? vector.signatures)
            note(file.path, vector.id, vector.severity, vector.expect, vector.content, answer?.verdict, content, &report)
        }
    }

    static func questions(_ file: PresentationFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["kind"] = .string(VectorKind.selective.rawValue)
            question["presentation"] = .string(vector.presentation)
            return JSONTree.object(question).json + "\n".utf8
        }
    }

    static func questions(_ file: SignedDocumentFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["kind"] = .string(VectorKind.documents.rawValue)
            question["document"] = .string(vector.document)
            question["detached"] = vector.detached.map(JSONTree.string)
            return JSONTree.object(question).json + "\n".utf8
        }
    }
}
