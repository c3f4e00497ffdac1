import IDaaSFlows
import IDaaSWire
import JWTTestSupport

/// A person who does scripted actions in sequence, and a record of what the person was shown.
final class ScriptedPerson<Shown: Sendable, Action: Sendable>: Sendable {
    private let actions: [Action]
    private let record = Guarded([Shown]())

    init(_ actions: Action...) { self.actions = actions }

    var shown: [Shown] { record.withLock { $0 } }

    private func next(on page: Shown) -> Action? {
        let place = record.withLock { shown in
            shown.append(page)
            return shown.count - 1
        }
        return actions.indices.contains(place) ? actions[place] : nil
    }
}

typealias ScriptedSlider = ScriptedPerson<SliderChallenge, SliderAnswer>

extension ScriptedSlider: SliderPresenter {
    /// After the last answer: that one again.
    func answer(to challenge: SliderChallenge) async -> SliderAnswer { next(on: challenge) ?? actions[actions.count - 1] }
}

typealias ScriptedPage = ScriptedPerson<BindPhonePage, BindPhoneAction>

extension ScriptedPage: BindPhonePresenter {
    /// After the last action: back.
    func action(on page: BindPhonePage) async -> BindPhoneAction { next(on: page) ?? .back }
}

typealias ScriptedOneClickPage = ScriptedPerson<OneClickScreen, OneClickAction>

extension ScriptedOneClickPage: OneClickPresenter {
    /// After the last action: back.
    func action(on screen: OneClickScreen) async -> OneClickAction { next(on: screen) ?? .back }
}
