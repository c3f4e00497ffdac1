/// What the streams of shared signals have for their receivers at an instant.
package struct SignalLook: Hashable, Sendable {
    /// The streams to push to: those with a signal that is due, and without a pause. By id.
    package var pushes: [SignalStream] = []
    /// The ids of the streams that poll and have a signal that is due.
    package var polls: Set<String> = []
    package var hasStreams = false

    package init(hasStreams: Bool = false) { self.hasStreams = hasStreams }
}
