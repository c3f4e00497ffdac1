/// Assay's own files of each kind.
struct VectorFiles {
    var tokens: [VectorFile] = []
    var sets: [KeyDocumentFile] = []
    var caches: [CacheScenarioFile] = []
    var lists: [StatusListFile] = []
    var events: [SecurityEventFile] = []
    var proofs: [ProofFile] = []
    var certificates: [CertificateFile] = []
    var encrypted: [EncryptedTokenFile] = []
    var presentations: [PresentationFile] = []
    var documents: [SignedDocumentFile] = []

    /// Keeps the file if its format is known.
    ///
    /// - Returns: whether it is.
    /// - Throws: a usage error if the file has a known format but is invalid.
    mutating func add(_ path: String, _ data: [UInt8]) throws -> Bool {
        if let file = try VectorFile(path, data) {
            tokens.append(file)
        } else if let file = try KeyDocumentFile(path, data) {
            sets.append(file)
        } else if let file = try CacheScenarioFile(path, data) {
            caches.append(file)
        } else if let file = try StatusListFile(path, data) {
            lists.append(file)
        } else if let file = try SecurityEventFile(path, data) {
            events.append(file)
        } else if let file = try ProofFile(path, data) {
            proofs.append(file)
        } else if let file = try CertificateFile(path, data) {
            certificates.append(file)
        } else if let file = try EncryptedTokenFile(path, data) {
            encrypted.append(file)
        } else if let file = try PresentationFile(path, data) {
            presentations.append(file)
        } else if let file = try SignedDocumentFile(path, data) {
            documents.append(file)
        } else {
            return false
        }
        return true
    }

    /// Has Assay answer every case.
    func run(_ report: inout ConformanceReport) {
        for file in tokens { file.run(&report) }
        for file in sets { file.run(&report) }
        for file in caches { file.run(&report) }
        for file in lists { file.run(&report) }
        for file in events { file.run(&report) }
        for file in proofs { file.run(&report) }
        for file in certificates { file.run(&report) }
        for file in encrypted { file.run(&report) }
        for file in presentations { file.run(&report) }
        for file in documents { file.run(&report) }
    }
}
