#if IDaaS
/// Keeps messages instead of sending them: for development, where whoever may read them is told so at start.
package actor DevelopmentOutbox: SMSGateway {
    private var messages: [SMSMessage] = []
    /// The oldest goes when there are more.
    private let capacity: Int

    package init(capacity: Int = 4_096) { self.capacity = capacity }

    package func deliver(_ message: SMSMessage) {
        if messages.count == capacity { messages.removeFirst() }
        messages.append(message)
    }

    /// Those for a number, the newest first; all of them without one.
    package func messages(for mobile: String? = nil) -> [SMSMessage] {
        messages.reversed().filter { mobile == nil || $0.mobile == mobile }
    }
}
#endif
