/// Keeps messages instead of sending them, for development. The server prints at start how to read them.
package actor DevelopmentOutbox: SMSGateway {
    private var messages: [SMSMessage] = []
    /// The maximum number of kept messages; the oldest is deleted first.
    private let capacity: Int

    package init(capacity: Int = 4_096) { self.capacity = capacity }

    package func deliver(_ message: SMSMessage) {
        if messages.count == capacity { messages.removeFirst() }
        messages.append(message)
    }

    /// The messages of one number, or all of them, newest first.
    package func messages(for mobile: String? = nil) -> [SMSMessage] {
        messages.reversed().filter { mobile == nil || $0.mobile == mobile }
    }
}
