import SwiftSyntax

extension SyntaxProtocol {
    /// The nearest of this node's ancestors that `body` gives a result for.
    func ancestor<Result>(_ body: (Syntax) -> Result?) -> Result? {
        var node = parent
        while let current = node {
            if let result = body(current) { return result }
            node = current.parent
        }
        return nil
    }

    /// The text on one line, or nil where a comment or a text of several lines prevents it.
    var flat: String? {
        let text = trimmedDescription
        guard text.contains(where: \.isNewline) else { return text }
        guard !text.contains("//"), !text.contains("\"\"\"") else { return nil }
        return text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    /// Whether no mutant can stand here: the place is no expression that runs, the code is compiled into other modules, or the program is
    /// about to end or only frees memory.
    var isExempt: Bool {
        ancestor { node in
            switch node.kind {
            case .attribute, .enumCaseElement, .functionParameter, .genericArgument, .ifConfigClause, .availabilityArgument,
                .deinitializerDecl, .expressionSegment:
                true
            default: node.isInlinable || node.isForCallersMistakes ? true : nil
            }
        } ?? false
    }

    private var isInlinable: Bool {
        guard let attributes = asProtocol((any WithAttributesSyntax).self)?.attributes else { return false }
        return attributes.contains { attribute in
            let name = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription
            return name == "inlinable" || name == "_alwaysEmitIntoClient"
        }
    }

    /// A precondition ends the program; no test can go on after it.
    var isForCallersMistakes: Bool {
        guard let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription else { return false }
        return ["precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError"].contains(callee)
    }

    /// The declaration around this node that has a name of its own.
    var declaration: (syntax: Syntax, name: String)? {
        ancestor { node in
            if let function = node.as(FunctionDeclSyntax.self) { return (node, function.name.text) }
            if node.is(InitializerDeclSyntax.self) { return (node, "init") }
            if node.is(SubscriptDeclSyntax.self) { return (node, "subscript") }
            guard let variable = node.as(VariableDeclSyntax.self), !node.isLocal else { return nil }
            return (node, variable.bindings.first?.pattern.trimmedDescription ?? "")
        }
    }

    private var isLocal: Bool { ancestor { $0.is(CodeBlockSyntax.self) || $0.is(ClosureExprSyntax.self) ? true : nil } ?? false }

    /// The type that the nearest function, accessor or closure returns, if it says so.
    var returnType: TypeSyntax? {
        ancestor { node -> TypeSyntax?? in
            if let function = node.as(FunctionDeclSyntax.self) { return function.signature.returnClause?.type }
            if let closure = node.as(ClosureExprSyntax.self) { return closure.signature?.returnClause?.type }
            if let accessor = node.as(AccessorDeclSyntax.self), accessor.accessorSpecifier.text != "get" { return .some(nil) }
            if let binding = node.as(PatternBindingSyntax.self), binding.accessorBlock != nil { return binding.typeAnnotation?.type }
            if let subscripted = node.as(SubscriptDeclSyntax.self) { return subscripted.returnClause.type }
            return nil
        } ?? nil
    }
}
