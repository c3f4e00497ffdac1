internal import NIOConcurrencyHelpers
internal import NIOCore

/// The open connections of a listener, which learn that it drains: those of that moment at once, and those that come later when they open.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isDraining = false
    }

    private let state = NIOLockedValueBox(State())

    func insert(_ channel: any Channel) {
        let isDraining = state.withLockedValue {
            $0.channels[ObjectIdentifier(channel)] = channel
            return $0.isDraining
        }
        if isDraining { Self.tell(channel) }
    }

    func remove(_ channel: any Channel) { state.withLockedValue { $0.channels[ObjectIdentifier(channel)] = nil } }

    func drain() {
        let channels = state.withLockedValue {
            $0.isDraining = true
            return Array($0.channels.values)
        }
        for channel in channels { Self.tell(channel) }
    }

    private static func tell(_ channel: any Channel) { channel.pipeline.fireUserInboundEventTriggered(DrainBegins()) }
}
