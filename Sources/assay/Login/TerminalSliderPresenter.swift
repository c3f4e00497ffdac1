#if HTTP
import IDaaSFlows
struct TerminalSliderPresenter: SliderPresenter {
    func answer(to challenge: SliderChallenge) async -> SliderAnswer { await PictureFilePresenter(path: "slider.png").answer(to: challenge) }
}
#endif
