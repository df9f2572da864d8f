extension PropertyPath {
    /// Whether the path may be a misspelling of another: it has as many keys, and each is close to the other's.
    ///
    /// `pool.minSize` is not a misspelling of `pool.maxSize`, nor `database1.host` of `database2.host`.
    package func isSlip(for other: PropertyPath) -> Bool {
        guard steps.count == other.steps.count, Self.letters(of: text) != Self.letters(of: other.text) else {
            return false
        }
        return zip(steps, other.steps).allSatisfy { step, other in
            guard let key = step.key, let other = other.key else { return step == other }
            let (words, others) = (Words.split(key), Words.split(other))
            return words.count == others.count
                ? zip(words, others).allSatisfy(NearNames.areNear) : NearNames.areNear(key, other)
        }
    }

    /// Whether the path may be a misspelling of another, or one of them is the end of the other: `enabled` and
    /// `mail.enabled`.
    func isMistaken(for other: PropertyPath) -> Bool {
        let (text, otherText) = (text, other.text)
        // Two texts are also equal if they are different Unicode forms of one.
        if isSlip(for: other) || text == otherText { return true }
        let count = min(steps.count, other.steps.count)
        return steps.count != other.steps.count
            && (steps.suffix(count) == other.steps.suffix(count) || NearNames.areNear(text, otherText))
    }

    private static func letters(of text: String) -> String { text.filter { !$0.isNumber } }
}
