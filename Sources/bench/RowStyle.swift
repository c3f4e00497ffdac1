/// The way to verify that a row measures. Each has a colour of Okabe and Ito's palette, which colour-blind readers can tell apart, and a
/// pattern, which needs no colours.
enum RowStyle: String, CaseIterable {
    case single, batch, tables, openssl, long, longBatch

    init(_ row: String) {
        let parts = row.split(separator: ".").dropFirst()
        let isBatch = parts.contains("batch") || parts.contains("batcher")
        if parts.contains("2k") {
            self = isBatch ? .longBatch : .long
        } else if isBatch {
            self = .batch
        } else if parts.last == "tables" || parts.last == "adx" {
            self = .tables
        } else {
            self = parts.last == "openssl" ? .openssl : .single
        }
    }

    /// The words of the legend.
    var words: String {
        switch self {
        case .single: "one token at a time"
        case .batch: "in batches"
        case .tables: "one at a time, without lanes"
        case .openssl: "one at a time, signature by OpenSSL"
        case .long: "tokens of 2 KB, one at a time"
        case .longBatch: "tokens of 2 KB, in batches"
        }
    }
}
