/// Finds what someone may have meant by a name that does not exist.
///
/// The names to choose from are prepared once. How many of them are compared is limited: where there are many names and
/// many slips, the last slips get no answer, instead of the program no end.
package struct NearNames {
    private struct Candidate {
        let name: String
        let letters: [Unicode.Scalar]
    }

    private let candidates: [Candidate]
    /// The words of each candidate, computed when they are first needed.
    private var words: [String] = []
    private var comparisons = Limits.comparisons

    /// The names to choose from.
    package init(_ names: some Sequence<String>) {
        candidates = names.map { name in
            let isCompared = name.utf8.count <= Limits.nearNameLength
            return Candidate(name: name, letters: isCompared ? Array(name.lowercased().unicodeScalars) : [])
        }
    }

    /// The names nearest to the one given, in the order given; none where no slip explains the difference.
    package static func nearest(to name: String, among names: some Sequence<String>, limit: Int = 3) -> [String] {
        var names = NearNames(names)
        return names.nearest(to: name, limit: limit)
    }

    /// The names nearest to the one given, in the order given; none where no slip explains the difference.
    package mutating func nearest(
        to name: String, limit: Int = 3, where isCandidate: (_ index: Int) -> Bool = { _ in true }
    ) -> [String] {
        comparisons -= candidates.count
        guard comparisons >= 0, name.utf8.count <= Limits.nearNameLength else { return [] }
        let wanted = Array(name.lowercased().unicodeScalars)
        let wantedWords = Self.words(of: name)
        let tolerated = Self.tolerated(in: wanted.count)
        if !wantedWords.isEmpty, words.isEmpty { words = candidates.map { Self.words(of: $0.name) } }
        var best = tolerated
        var found: [(distance: Int, name: String)] = []
        for (index, candidate) in candidates.enumerated() {
            let distance: Int
            if abs(candidate.letters.count - wanted.count) <= best,
                let slips = Self.distance(from: wanted, to: candidate.letters, within: best)
            {
                distance = slips
            } else if !wantedWords.isEmpty, words[index] == wantedWords {
                // `max_connections` for `maxConnections`: another way to write the same words.
                distance = 0
            } else {
                continue
            }
            guard candidate.name != name, isCandidate(index) else { continue }
            best = distance
            found.append((distance, candidate.name))
        }
        return found.filter { $0.distance == best }.prefix(limit).map(\.name)
    }

    /// Whether a slip explains the difference between two names.
    static func areNear(_ name: String, _ other: String) -> Bool {
        name == other
            || distance(
                from: Array(name.lowercased().unicodeScalars), to: Array(other.lowercased().unicodeScalars),
                within: tolerated(in: name.unicodeScalars.count)) != nil
    }

    /// How many slips are thought of in a name of some length.
    private static func tolerated(in count: Int) -> Int { min(3, count / 3) }

    private static func words(of name: String) -> String {
        name.utf8.count <= Limits.nearNameLength ? Words.split(name).joined(separator: " ") : ""
    }

    /// How many insertions, deletions, replacements and swaps of neighbors turn one text into the other; nil if
    /// there are more than the limit.
    ///
    /// Two texts with so few differences stay so close to each other that the rest of each row need not be looked at.
    static func distance(
        from first: [Unicode.Scalar], to second: [Unicode.Scalar], within limit: Int
    ) -> Int? {
        guard abs(first.count - second.count) <= limit else { return nil }
        // Three rows of the table of optimal string alignment, one after the other in one array, because the optimizer of
        // Swift 6.3 takes three arrays that change places for one. What is outside of the band is beyond the limit.
        let beyond = limit + 1
        let width = second.count + 1
        var cells = [Int](repeating: beyond, count: 3 * width)
        var (beforePrevious, previous, current) = (0, width, 2 * width)
        for column in 0...min(limit, second.count) { cells[previous + column] = column }
        for row in first.indices {
            let start = max(0, row - limit)
            let end = min(second.count, row + limit + 1)
            cells[current + start] = start == 0 ? min(row + 1, beyond) : beyond
            var least = cells[current + start]
            for column in start..<end {
                let replaced = cells[previous + column] + (first[row] == second[column] ? 0 : 1)
                let removed = column == row + limit ? beyond : cells[previous + column + 1] + 1
                var best = min(replaced, removed, cells[current + column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, cells[beforePrevious + column - 1] + 1)
                }
                cells[current + column + 1] = best
                least = min(least, best)
            }
            if least > limit { return nil }
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
        }
        let distance = cells[previous + second.count]
        return distance <= limit ? distance : nil
    }
}

extension NearNames {
    /// `; did you mean server.port or server.ports?`, empty if nothing is near.
    static func question(_ names: [String]) -> String {
        guard let last = names.last else { return "" }
        let others = names.dropLast().joined(separator: ", ")
        return "; did you mean \(others)\(others.isEmpty ? "" : " or ")\(last)?"
    }

    /// What to write instead of a key with dots, if one of the near names is a whole path as one key; empty otherwise.
    static func hint(_ names: [String], for path: String) -> String {
        names.contains("['\(path)']") ? " a key in a file is not a path: write objects within each other" : ""
    }
}
