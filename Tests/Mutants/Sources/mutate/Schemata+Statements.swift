import SwiftSyntax

// Conditions, results and whole statements.

extension Schemata {
    /// The condition that holds always or never while a mutant is in force.
    func forced(_ alternatives: [(Operator, String)], _ node: ExprSyntax, _ rewritten: ExprSyntax) -> ExprSyntax {
        guard !node.isExempt, !node.is(BooleanLiteralExprSyntax.self) else { return rewritten }
        return choice(alternatives, node, rewritten)
    }

    /// A result that is always the same while a mutant is in force.
    func answered(_ node: ExprSyntax, _ rewritten: ExprSyntax, _ type: TypeSyntax?) -> ExprSyntax {
        guard let type, !node.isExempt, !node.isOfBranches else { return rewritten }
        if type.trimmedDescription == "Bool", !node.is(BooleanLiteralExprSyntax.self) {
            return choice([(.answer, "true"), (.answer, "false")], node, rewritten)
        }
        guard type.is(OptionalTypeSyntax.self), !node.is(NilLiteralExprSyntax.self) else { return rewritten }
        return choice([(.absent, "nil")], node, rewritten)
    }

    /// The statement without what a mutant takes away, or nil if it stays as it is.
    func shortened(_ node: CodeBlockItemSyntax, _ rewritten: CodeBlockItemSyntax) -> ExprSyntax? {
        guard let expression = node.item.as(ExprSyntax.self), !expression.isExempt, node.isRemovable(expression) else { return nil }
        let other = expression.otherAssignment
        let changed = other.flatMap { mutant(.arithmetic, of: node, becoming: $0) }.map { "if mutated(\($0)) { \(other ?? "") } else " }
        let removed = mutant(.statement, of: node, becoming: "").map { "if !mutated(\($0)) " }
        guard changed != nil || removed != nil else { return nil }
        return raw("\(changed ?? "")\(removed ?? ""){ \(rewritten.trimmedDescription) }", like: node)
    }
}

extension CodeBlockItemSyntax {
    /// Whether the program compiles without this statement, as far as the text tells.
    fileprivate func isRemovable(_ expression: ExprSyntax) -> Bool {
        let core = expression.core
        let isInitializer = ancestor { $0.is(InitializerDeclSyntax.self) ? true : $0.is(FunctionDeclSyntax.self) ? false : nil } ?? false
        if let infix = core.as(InfixOperatorExprSyntax.self) {
            return !(infix.operator.is(AssignmentExprSyntax.self) && isInitializer) && infix.isAssignment
        }
        guard let call = core.as(FunctionCallExprSyntax.self), !isOnlyOne || returnType == nil && !isValueOfBranch else { return false }
        let isOnlyOfClosure = isOnlyOne && parent?.parent?.is(ClosureExprSyntax.self) ?? false
        return !isOnlyOfClosure && call.calledExpression.trimmedDescription.hasSuffix(".init") == false && !call.isForCallersMistakes
    }

    /// Whether it is the value of an `if` or `switch` that is an expression.
    private var isValueOfBranch: Bool {
        let branches: Syntax? = ancestor { $0.is(IfExprSyntax.self) || $0.is(SwitchExprSyntax.self) ? $0 : nil }
        return branches.map { !($0.parent?.is(ExpressionStmtSyntax.self) ?? false) } ?? false
    }

    private var isOnlyOne: Bool { parent?.as(CodeBlockItemListSyntax.self)?.count == 1 }
}

extension ExprSyntax {
    /// Without `try`, `await` and `unsafe`.
    fileprivate var core: ExprSyntax {
        if let tried = self.as(TryExprSyntax.self) { return tried.expression.core }
        if let awaited = self.as(AwaitExprSyntax.self) { return awaited.expression.core }
        return self.as(UnsafeExprSyntax.self)?.expression.core ?? self
    }

    fileprivate var isOfBranches: Bool { self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) }

    /// `a -= b` for `a += b`.
    fileprivate var otherAssignment: String? {
        guard let infix = self.as(InfixOperatorExprSyntax.self), let left = infix.leftOperand.flat, let right = infix.rightOperand.flat,
            let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text, let other = Replacements.assignment[name]
        else { return nil }
        return "\(left) \(other) \(right)"
    }
}

extension InfixOperatorExprSyntax {
    fileprivate var isAssignment: Bool {
        if self.operator.is(AssignmentExprSyntax.self) { return true }
        let name = self.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
        return name.map { Replacements.assignment[$0] != nil } ?? false
    }
}
