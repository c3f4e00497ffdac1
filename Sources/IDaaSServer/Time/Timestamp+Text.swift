package import HTTPEdge

extension ISOTime {
    package static func text(_ instant: Timestamp) -> String { text(milliseconds: instant.milliseconds) }
}
