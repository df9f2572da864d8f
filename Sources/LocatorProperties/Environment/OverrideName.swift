/// What the name of a variable, or of a file in a directory, says about a setting.
struct OverrideName: Sendable {
    /// One step to the setting.
    enum Step: Sendable {
        /// A key as the names of variables write it; of digits alone also an index.
        case segment(Substring)
        /// A key as it is.
        case key(String)
        /// An index of an array.
        case index(Int)

        /// The index that the step may stand for.
        var number: Int? {
            switch self {
            case .index(let index): index
            case .key: nil
            case .segment(let text):
                text.first == "0" && text.utf8.count > 1 ? nil : text.first.flatMap { $0.isNumber ? Int(text) : nil }
            }
        }

        /// The step of the path that it adds where nothing corresponds to it.
        var added: PropertyPath.Step {
            switch self {
            case .segment(let segment): .key(VariableName.key(of: segment))
            case .key(let key): .key(key)
            case .index(let index): .index(index)
            }
        }
    }

    let steps: [Step]
    /// Orders names so that an object or array comes before its parts, and elements in the order of their numbers.
    let order: String

    private init(_ steps: [Step]) {
        self.steps = steps
        order = steps.map { step in
            guard let number = step.number else {
                return switch step {
                case .segment(let text): String(text)
                case .key(let key): key
                case .index(let index): String(index)
                }
            }
            let digits = String(number)
            return String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
        }.joined(separator: "__")
    }

    /// The name of a variable without its prefix; nil if it names no setting.
    init?(variable name: Substring) {
        guard let segments = VariableName.segments(of: name) else { return nil }
        self.init(segments.map(Step.segment))
    }

    /// The names of a file and of the folders around it; each is a path, or written as the name of a variable.
    ///
    /// Nil where one is neither.
    init?(file names: [String]) {
        var steps: [Step] = []
        for name in names {
            if let segments = VariableName.segments(of: name[...]) {
                steps += segments.map(Step.segment)
            } else if !VariableName.isLikeVariable(name), let path = try? PropertyPath(parsing: name) {
                steps += path.steps.map { step in
                    switch step {
                    case .key(let key): .key(key)
                    case .index(let index): .index(index)
                    }
                }
            } else {
                return nil
            }
        }
        self.init(steps)
    }

    /// Whether a key is written as in the names of variables.
    var hasWords: Bool {
        steps.contains { step in
            if case .segment = step { step.number == nil } else { false }
        }
    }

    /// The name as that of a variable without a prefix, as far as written like one; of its first steps.
    func segments(_ count: Int) -> String? {
        var segments: [Substring] = []
        for step in steps.prefix(count) {
            guard case .segment(let segment) = step else { return nil }
            segments.append(segment)
        }
        return segments.joined(separator: "__")
    }
}
