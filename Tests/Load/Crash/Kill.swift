/// When a round kills the server. So that few rounds also reach every state, they take turns: in each third of the answers to users
/// with a phone, which are far fewer and slower, in each quarter of those to all others, and when every user pauses.
struct Kill {
    /// The number of counted answers; no run counts so many if the server is killed at the end.
    let answers: Int
    private let isOfPhones: Bool

    init(in round: Int, among people: [any Person]) {
        let (turn, isOfPhones) = (round % 8 / 2, round % 2 == 1)
        self.isOfPhones = isOfPhones
        let all = people.filter { $0 is PhoneUser == isOfPhones }.map(\.answers).reduce(0, +)
        let parts = isOfPhones ? 3 : 4
        answers = turn < parts ? Int.random(in: all * turn / parts + 1...all * (turn + 1) / parts) : all + 1
    }

    func counts(_ person: any Person) -> Bool { person is PhoneUser == isOfPhones }
}
