import Locator

extension Properties {
    /// The paths of all settings, in order: values without keys below them, and whole arrays.
    var settingPaths: [String] {
        var seen: Set<PropertyPath> = []
        return paths.compactMap { text in
            guard let path = try? PropertyPath(parsing: text) else { return nil }
            let whole = PropertyPath(Array(path.stepsOutsideOfArrays))
            return seen.insert(whole).inserted ? whole.text : nil
        }
    }
}
