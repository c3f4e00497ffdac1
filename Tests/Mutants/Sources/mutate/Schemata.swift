import SwiftSyntax

/// Rewrites a file so that it holds its mutants. A changed place computes the original unless its mutant is in force.
///
/// The text of an alternative is that of the original, without further mutants: only one is ever in force.
final class Schemata: SyntaxRewriter {
    private let file: String
    private let lines: SourceLocationConverter
    /// The mutants that get a switch; nil for all.
    private let chosen: Set<String>?
    private var nextID: Int
    private(set) var mutants: [Mutant] = []

    init(file: String, source: SourceFileSyntax, chosen: Set<String>?, first: Int) {
        self.file = file
        self.chosen = chosen
        lines = SourceLocationConverter(fileName: file, tree: source)
        nextID = first
        super.init(viewMode: .sourceAccurate)
    }

    /// The number of a new mutant, or nil if it is not chosen.
    func mutant(_ operator: Operator, of node: some SyntaxProtocol, number: Int = 0, becoming after: String) -> Int? {
        let start = node.positionAfterSkippingLeadingTrivia
        let key = "\(file):\(start.utf8Offset)-\(node.endPositionBeforeTrailingTrivia.utf8Offset):\(`operator`.rawValue):\(number)"
        guard chosen?.contains(key) ?? true else { return nil }
        let around = node.declaration
        let mutant = Mutant(
            id: nextID, key: key, file: file, line: line(start), endLine: line(node.endPositionBeforeTrailingTrivia),
            declaration: around.map { span($0.syntax) } ?? span(node), function: around?.name ?? "", operator: `operator`,
            before: node.flat ?? node.trimmedDescription, after: after)
        mutants.append(mutant)
        nextID += 1
        return mutant.id
    }

    private func line(_ position: AbsolutePosition) -> Int { lines.location(for: position).line }

    private func span(_ node: some SyntaxProtocol) -> ClosedRange<Int> {
        line(node.positionAfterSkippingLeadingTrivia)...line(node.endPositionBeforeTrailingTrivia)
    }

    /// The expression that is each alternative while its mutant is in force, and otherwise `rewritten`, in the place of `node`.
    func choice(
        _ alternatives: [(Operator, String)], _ node: some ExprSyntaxProtocol, _ rewritten: some ExprSyntaxProtocol
    ) -> ExprSyntax {
        var text = ""
        for (number, (`operator`, after)) in alternatives.enumerated() {
            guard let id = mutant(`operator`, of: node, number: number, becoming: after) else { continue }
            text += "mutated(\(id)) ? (\(after)) : "
        }
        guard !text.isEmpty else { return ExprSyntax(rewritten) }
        return raw("(\(text)(\(rewritten.trimmedDescription)))", like: node)
    }

    /// Text in the place of an expression. Nothing but the text is ever asked of it.
    func raw(_ text: String, like node: some SyntaxProtocol) -> ExprSyntax {
        var expression = DeclReferenceExprSyntax(baseName: .identifier(text))
        expression.leadingTrivia = node.leadingTrivia
        expression.trailingTrivia = node.trailingTrivia
        return ExprSyntax(expression)
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> ExprSyntax {
        guard let rewritten = super.visit(node).as(InfixOperatorExprSyntax.self) else { return ExprSyntax(node) }
        guard !node.isExempt, let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            let left = node.leftOperand.flat, let right = node.rightOperand.flat
        else { return ExprSyntax(rewritten) }
        if name == "..<" || name == "..." { return range(node, rewritten, right) }
        guard let others = Replacements.binary[name] else { return ExprSyntax(rewritten) }
        return choice(others.map { ($0, "\(left) \($1) \(right)") }, node, rewritten)
    }

    /// A range that ends one place earlier or later.
    private func range(_ node: InfixOperatorExprSyntax, _ rewritten: InfixOperatorExprSyntax, _ right: String) -> ExprSyntax {
        guard !node.rightOperand.is(IntegerLiteralExprSyntax.self) else { return ExprSyntax(rewritten) }
        var range = rewritten
        range.rightOperand = choice(
            [(.number, "\(right) - 1"), (.number, "\(right) + 1")], node.rightOperand, rewritten.rightOperand)
        return ExprSyntax(range)
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> ExprSyntax {
        guard !node.isExempt, let value = node.value else { return ExprSyntax(node) }
        return choice((value > 0 ? [value + 1, value - 1] : [value + 1]).map { (.number, "\($0)") }, node, node)
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> ExprSyntax {
        let isOfLoop = node.parent?.parent?.parent?.is(WhileStmtSyntax.self) ?? false
        guard !node.isExempt, !isOfLoop else { return ExprSyntax(node) }
        return choice([(.truth, node.literal.text == "true" ? "false" : "true")], node, node)
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> ExprSyntax {
        guard let rewritten = super.visit(node).as(PrefixOperatorExprSyntax.self) else { return ExprSyntax(node) }
        guard !node.isExempt, ["!", "~"].contains(node.operator.text), let operand = node.expression.flat else {
            return ExprSyntax(rewritten)
        }
        return choice([(.negation, operand)], node, rewritten)
    }

    override func visit(_ node: TernaryExprSyntax) -> ExprSyntax {
        guard var rewritten = super.visit(node).as(TernaryExprSyntax.self) else { return ExprSyntax(node) }
        guard !node.isExempt, let condition = node.condition.flat else { return ExprSyntax(rewritten) }
        rewritten.condition = choice([(.negation, "!(\(condition))")], node.condition, rewritten.condition)
        return ExprSyntax(rewritten)
    }

    override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
        guard node.base == nil, let other = Replacements.code(after: node.declName.baseName.text), !node.isExempt, !node.isOfPattern else {
            return super.visit(node)
        }
        return choice([(.code, ".\(other)")], node, node)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> ExprSyntax {
        guard let rewritten = super.visit(node).as(FunctionCallExprSyntax.self) else { return ExprSyntax(node) }
        guard !node.isExempt, let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let other = Replacements.function[name], let arguments = node.arguments.flat
        else { return ExprSyntax(rewritten) }
        return choice([(.arithmetic, "\(other)(\(arguments))")], node, rewritten)
    }

    override func visit(_ node: ConditionElementSyntax) -> ConditionElementSyntax {
        var rewritten = super.visit(node)
        guard case .expression(let condition) = node.condition, case .expression(let changed) = rewritten.condition,
            let statement = node.parent?.parent
        else { return rewritten }
        let alternatives: [(Operator, String)] =
            switch statement.kind {
            case .guardStmt: [(.guarded, "true")]
            case .ifExpr: [(.unchecked, "false"), (.taken, "true")]
            default: [(.unchecked, "false")]
            }
        rewritten.condition = .expression(forced(alternatives, condition, changed))
        return rewritten
    }

    override func visit(_ node: WhereClauseSyntax) -> WhereClauseSyntax {
        var rewritten = super.visit(node)
        rewritten.condition = forced([(.unchecked, "false"), (.taken, "true")], node.condition, rewritten.condition)
        return rewritten
    }

    override func visit(_ node: ReturnStmtSyntax) -> StmtSyntax {
        guard let expression = node.expression, var rewritten = super.visit(node).as(ReturnStmtSyntax.self),
            let changed = rewritten.expression
        else { return super.visit(node) }
        rewritten.expression = answered(expression, changed, node.returnType)
        return StmtSyntax(rewritten)
    }

    override func visit(_ node: CodeBlockItemSyntax) -> CodeBlockItemSyntax {
        var rewritten = super.visit(node)
        if let shorter = shortened(node, rewritten) {
            rewritten.item = .expr(shorter)
        } else if let expression = node.item.as(ExprSyntax.self), let changed = rewritten.item.as(ExprSyntax.self), node.isResult {
            rewritten.item = .expr(answered(expression, changed, node.returnType))
        }
        return rewritten
    }
}

extension CodeBlockItemSyntax {
    /// Whether this is the only statement of a function or an accessor, whose value it then returns.
    fileprivate var isResult: Bool {
        guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let around = list.parent else { return false }
        if around.is(AccessorBlockSyntax.self) { return true }
        return around.parent?.is(FunctionDeclSyntax.self) ?? false || around.parent?.is(AccessorDeclSyntax.self) ?? false
    }
}

extension IntegerLiteralExprSyntax {
    fileprivate var value: Int? {
        let digits = literal.text.replacing("_", with: "")
        let radixes = ["0x": 16, "0b": 2, "0o": 8]
        guard let radix = radixes[String(digits.prefix(2))] else { return Int(digits) }
        return Int(digits.dropFirst(2), radix: radix)
    }
}

extension SyntaxProtocol {
    fileprivate var isOfPattern: Bool { ancestor { $0.is(ExpressionPatternSyntax.self) ? true : nil } ?? false }
}
