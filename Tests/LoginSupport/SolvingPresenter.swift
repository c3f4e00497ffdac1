public import IDaaSFlows
internal import SliderSolver

/// Solves sliders as a person does: by looking at the two pictures.
public struct SolvingPresenter: SliderPresenter {
    public init() {}

    public func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        guard let x = try? SliderSolver.x(background: challenge.background, piece: challenge.piece) else { return .another }
        return .point(SliderPoint(x: Double(x)))
    }
}
