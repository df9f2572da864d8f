/// The setting that the name of a variable, or of a file in a directory, refers to.
struct OverrideName: Sendable, Equatable {
    /// One step to the setting.
    enum Step: Sendable, Equatable {
        /// A key as variables write it. If it has only digits, it may also be an index.
        case segment(Substring)
        /// A step of a path, unchanged.
        case exact(PropertyPath.Step)

        /// The index that the step may represent.
        var number: Int? {
            switch self {
            case .exact(.index(let index)): index
            case .exact(.key): nil
            case .segment(let text):
                text.first == "0" && text.utf8.count > 1 ? nil : text.first.flatMap { $0.isNumber ? Int(text) : nil }
            }
        }

        /// The path step to add if nothing in the tree corresponds to this step.
        var added: PropertyPath.Step {
            switch self {
            case .segment(let segment): .key(VariableName.key(of: segment))
            case .exact(let step): step
            }
        }
    }

    let steps: [Step]
    /// A sort key that puts objects and arrays before their parts, however they are spelled, and elements in numeric
    /// order.
    let order: String

    private init(_ steps: [Step]) {
        self.steps = steps
        order = steps.map { step in
            guard let number = step.number else {
                return switch step {
                case .segment(let text): String(text)
                case .exact(.key(let key)): VariableName.segment(of: key)
                case .exact(.index(let index)): String(index)
                }
            }
            let digits = String(number)
            return String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
        }.joined(separator: "__")
    }

    /// Creates a name from a variable without its prefix, or nil if it names no setting.
    init?(variable name: Substring) {
        guard let segments = VariableName.segments(of: name) else { return nil }
        self.init(segments.map(Step.segment))
    }

    /// Creates a name from a file and the folders around it.
    ///
    /// Each is a path or is written like a variable.
    ///
    /// Nil if any of them is neither.
    init?(file names: [String]) {
        var steps: [Step] = []
        for name in names {
            if let segments = VariableName.segments(of: name[...]) {
                steps += segments.map(Step.segment)
            } else if !VariableName.isLikeVariable(name), let path = try? PropertyPath(parsing: name) {
                steps += path.steps.map(Step.exact)
            } else {
                return nil
            }
        }
        self.init(steps)
    }

    /// The name of the object or array that the first steps lead to.
    func prefix(_ count: Int) -> OverrideName { OverrideName(Array(steps.prefix(count))) }

    /// Whether any key is written like a variable.
    var hasWords: Bool {
        steps.contains { step in
            if case .segment = step { step.number == nil } else { false }
        }
    }

    /// The steps as the name of a variable without a prefix, or nil if one of them is not written that way.
    var segments: String? {
        let segments = steps.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
        return segments.count == steps.count ? segments.joined(separator: "__") : nil
    }
}
