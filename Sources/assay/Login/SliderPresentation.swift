#if HTTP
import CommandProgram
import IDaaSFlows
import IDaaSWire

/// Shows sliders one after another, each with the reason why it appears.
actor SliderPresentation: SliderPresenter {
    private let presenter: any SliderPresenter
    private var previous: SliderAnswer?

    init(_ presenter: any SliderPresenter) { self.presenter = presenter }

    func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        switch previous {
        case .another: Terminal.error.line("Another picture:")
        case .point: Terminal.error.line("The server did not accept the position. A new picture:")
        case .closed, nil: break
        }
        let answer = await presenter.answer(to: challenge)
        previous = answer
        return answer
    }
}
#endif
