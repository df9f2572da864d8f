/// Finds the names that may have been meant by a name that does not exist.
///
/// The candidates are prepared once, and the number of comparisons is limited. If there are many candidates and many
/// misspellings, the last ones get no suggestions, so that the search always ends soon.
package struct NearNames {
    /// What rules out nearly every candidate before its letters are compared.
    private struct Outline {
        let count: Int
        /// One of 64 bits for each letter.
        let letters: UInt64
        /// The hash of the words.
        let words: Int

        /// Whether more than some insertions, deletions, replacements, and swaps are between the names.
        func differs(from other: Outline, byMoreThan limit: Int) -> Bool {
            // Each of them adds or removes at most one letter, or replaces one by another.
            abs(count - other.count) > limit || (letters ^ other.letters).nonzeroBitCount > 2 * limit
        }
    }

    private struct Candidate {
        let name: String
        let letters: [Unicode.Scalar]
        let words: String

        init(_ name: String) {
            self.name = name
            let isCompared = name.utf8.count <= Limits.nearNameLength
            letters = isCompared ? Array(name.lowercased().unicodeScalars) : []
            words = isCompared ? Words.split(name).joined(separator: " ") : ""
        }

        var outline: Outline {
            Outline(
                count: letters.count, letters: letters.reduce(0) { $0 | 1 << UInt64($1.value & 63) },
                words: words.hashValue)
        }
    }

    private var candidates: [Candidate]
    private var outlines: [Outline]
    private var comparisons = Limits.comparisons

    /// Whether no more names are compared.
    var isExhausted: Bool { comparisons < 0 }

    /// Creates a search among candidates.
    package init(_ names: some Sequence<String>) {
        candidates = names.map(Candidate.init)
        outlines = candidates.map(\.outline)
    }

    /// Adds a candidate after the others.
    package mutating func append(_ name: String) {
        let candidate = Candidate(name)
        candidates.append(candidate)
        outlines.append(candidate.outline)
    }

    /// Returns the candidates closest to a name, in their order, or none if the difference is more than a misspelling.
    package static func nearest(to name: String, among names: some Sequence<String>, limit: Int = 3) -> [String] {
        var names = NearNames(names)
        return names.nearest(to: name, limit: limit)
    }

    /// Returns the candidates closest to a name, in their order, or none if the difference is more than a misspelling.
    package mutating func nearest(
        to name: String, limit: Int = 3, where isCandidate: (_ index: Int) -> Bool = { _ in true }
    ) -> [String] {
        comparisons -= candidates.count
        guard comparisons >= 0, name.utf8.count <= Limits.nearNameLength else { return [] }
        let wanted = Candidate(name)
        let outline = wanted.outline
        var best = Self.tolerated(in: wanted.letters.count)
        var found: [(distance: Int, name: String)] = []
        for (index, other) in outlines.enumerated() {
            let mayBeNear = !other.differs(from: outline, byMoreThan: best)
            if !mayBeNear, other.words != outline.words { continue }
            let candidate = candidates[index]
            let distance: Int
            if mayBeNear, let slips = Self.distance(from: wanted.letters, to: candidate.letters, within: best) {
                distance = slips
            } else if !wanted.words.isEmpty, candidate.words == wanted.words {
                // Another way to write the same words: `max_connections` for `maxConnections`.
                distance = 0
            } else {
                continue
            }
            // Not `==`, which takes two Unicode forms of a text for the same.
            guard !JSONText.areIdentical(candidate.name, name), isCandidate(index) else { continue }
            best = distance
            found.append((distance, candidate.name))
        }
        return found.filter { $0.distance == best }.prefix(limit).map(\.name)
    }

    /// Whether two names are equal or differ only by a misspelling.
    static func areNear(_ name: String, _ other: String) -> Bool {
        name == other || areNear(name, other, within: tolerated(in: name.unicodeScalars.count))
    }

    /// Whether at most some insertions, deletions, replacements, and swaps turn one name into the other, in any case.
    static func areNear(_ name: String, _ other: String, within limit: Int) -> Bool {
        let letters = [name, other].map { Array($0.lowercased().unicodeScalars) }
        return distance(from: letters[0], to: letters[1], within: limit) != nil
    }

    /// Returns how many errors count as a misspelling in a name of this length.
    private static func tolerated(in count: Int) -> Int { min(3, count / 3) }

    /// Returns how many insertions, deletions, replacements, and swaps of adjacent characters turn one text into the
    /// other, or nil if there are more than the limit.
    ///
    /// With so few differences, only a band around the diagonal of the table needs to be computed.
    static func distance(
        from first: [Unicode.Scalar], to second: [Unicode.Scalar], within limit: Int
    ) -> Int? {
        guard abs(first.count - second.count) <= limit else { return nil }
        // Three rows of the optimal string alignment table, stored in one array, because the optimizer of Swift 6.3
        // treats three arrays that are swapped as one. Cells outside the band are beyond the limit.
        let beyond = limit + 1
        let width = second.count + 1
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { cells in
            cells.initialize(repeating: beyond)
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
}

extension NearNames {
    /// Returns `; did you mean server.port or server.ports?`, or an empty string without names.
    static func question(_ names: [String]) -> String {
        names.isEmpty ? "" : "; did you mean \(names.alternatives)?"
    }

    /// Whether one of the names has a path, or a path below it, as a single key.
    package static func areDotted(_ names: [String], for path: String) -> Bool {
        names.contains { $0 == "['\(path)']" || $0.hasPrefix("['\(path).") }
    }

    /// Returns a hint for a key with dots if one of the names has the path, or a path below it, as a single key, or for a
    /// name that looks like the end of the path, and an empty string otherwise.
    static func hint(_ names: [String], for path: String) -> String {
        if areDotted(names, for: path) { return " a key in a file is not a path: write nested objects" }
        guard let name = names.first, path.hasSuffix(name), !path.utf8.reversed().starts(with: name.utf8.reversed())
        else { return "" }
        return " its Unicode form differs (\(KeyForms.difference(of: String(path.suffix(name.count)), from: name)))"
    }
}
