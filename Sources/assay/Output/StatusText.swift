import CommandProgram
import JWKSCache

/// The status of a remote key set as text and as JSON.
enum StatusText {
    /// One line: health, age and the next fetch.
    static func line(_ status: KeySetStatus, on terminal: Terminal) -> String {
        let style: Terminal.Style = status.health == .fresh ? .good : status.health == .stale ? .warning : .bad
        var parts = [terminal.styled(status.health.rawValue, style), "generation \(status.generation)", "\(status.keys.count) keys"]
        if let age = status.age { parts.append("confirmed \(span(age)) ago") }
        if let left = status.believedFor { parts.append("believed for \(span(left))") }
        parts.append(status.isFetching ? "fetching" : "next fetch in \(span(status.nextFetchIn))")
        if status.failures > 0 { parts.append("\(status.failures) failures") }
        if status.shedProbes > 0 { parts.append("\(status.shedProbes) probes shed") }
        if let skew = status.clockSkew { parts.append("clock skew \(skew.components.seconds) s") }
        return parts.joined(separator: " · ")
    }

    static func json(_ status: KeySetStatus) -> String {
        var members = [
            "\"source\":\(quoted(status.source))", "\"health\":\"\(status.health.rawValue)\"", "\"generation\":\(status.generation)",
        ]
        func add(_ name: String, _ duration: Duration?) { if let duration { members.append("\"\(name)\":\(duration.components.seconds)") } }
        add("age", status.age)
        add("fresh_for", status.freshFor)
        add("believed_for", status.believedFor)
        add("next_fetch_in", status.nextFetchIn)
        add("clock_skew", status.clockSkew)
        members.append("\"failures\":\(status.failures)")
        if let failure = status.lastFailure { members.append("\"last_failure\":\"\(failure.code)\"") }
        members.append("\"shed_probes\":\(status.shedProbes)")
        return "{\(members.joined(separator: ","))}"
    }

    /// A duration in the form "4 min 48 s".
    static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }
}
