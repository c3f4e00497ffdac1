internal import NIOCore

/// The event loops that all listeners of a process share.
package enum EventLoops {
    /// How many the process has, or will have: one for each core, unless a quota of processor time or `NIO_SINGLETON_GROUP_LOOP_COUNT` says
    /// otherwise.
    package static var count: Int { NIOSingletons.groupLoopCountSuggestion }
}
