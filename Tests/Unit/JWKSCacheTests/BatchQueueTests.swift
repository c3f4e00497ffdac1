import JWKSCache
import Testing

/// The scheduling of waiting tokens: no token waits for others to come, or for a busy task while another may be started.
struct BatchQueueTests {
    enum Event {
        case comes(starts: Bool)
        case takes([Int])
        case isDone(takes: [Int])
    }

    struct Course: CustomTestStringConvertible {
        let testDescription: String
        let workers: Int
        let widest: Int
        let events: [Event]
    }

    private static let courses = [
        Course(
            testDescription: "a token alone starts a task and is taken alone", workers: 2, widest: 8,
            events: [.comes(starts: true), .takes([0]), .isDone(takes: []), .comes(starts: true), .takes([1])]),
        Course(
            testDescription: "what comes before a task's turn goes with its batch", workers: 2, widest: 8,
            events: [.comes(starts: true)] + Array(repeating: .comes(starts: false), count: 7) + [.takes(Array(0..<8))]),
        Course(
            testDescription: "what that batch has no room for starts another", workers: 2, widest: 2,
            events: [
                .comes(starts: true), .comes(starts: false), .comes(starts: true), .takes([0, 1]), .takes([2]), .isDone(takes: []),
                .isDone(takes: []),
            ]),
        Course(
            testDescription: "what comes while a task verifies waits for no verdict of its", workers: 2, widest: 8,
            events: [.comes(starts: true), .takes([0]), .comes(starts: true), .takes([1])]),
        Course(
            testDescription: "what comes while a task is free starts none", workers: 3, widest: 8,
            events: [.comes(starts: true), .takes([0]), .comes(starts: true), .isDone(takes: [1]), .comes(starts: false), .takes([2])]),
        Course(
            testDescription: "where all are busy, tokens gather until one is done", workers: 1, widest: 8,
            events: [.comes(starts: true), .takes([0])] + Array(repeating: .comes(starts: false), count: 9)
                + [.isDone(takes: Array(1..<9)), .isDone(takes: [9]), .isDone(takes: [])]),
        Course(
            testDescription: "a task that goes makes room for the next", workers: 1, widest: 8,
            events: [.comes(starts: true), .takes([0]), .isDone(takes: []), .comes(starts: true), .takes([1]), .isDone(takes: [])]),
    ]

    @Test(arguments: courses)
    func eachIsTakenAsSoonAsSomebodyMay(course: Course) {
        var queue = BatchQueue<Int>(workers: course.workers, widest: course.widest), next = 0
        for (place, event) in course.events.enumerated() {
            switch event {
            case .comes(let starts):
                #expect(queue.append(next) == starts, "event \(place)")
                next += 1
            case .takes(let batch): #expect(queue.take(isDone: false) == batch, "event \(place)")
            case .isDone(let batch): #expect(queue.take(isDone: true) == batch, "event \(place)")
            }
        }
    }
}
