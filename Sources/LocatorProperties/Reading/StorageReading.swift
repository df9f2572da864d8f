extension PropertiesStorage {
    /// Reads a path, and notes what the answer depends on.
    func lookup(_ path: PropertyPath) -> PropertyLookup {
        if let resolved, case .found(let node) = TreeWalk(resolved, path.steps[...]), !hasTemplates {
            return PropertyLookup(path: path.text, result: .success(node), consulted: [])
        }
        var resolver = PlaceholderResolver(self)
        let result: Result<JSONValue?, PropertiesError>
        do {
            result = .success(try resolver.value(at: path))
        } catch {
            result = .failure(error)
        }
        return PropertyLookup(path: path.text, result: result, consulted: resolver.consulted.map(\.text))
    }

    /// An error with the place of each setting that it names.
    func locating(_ error: PropertiesError) -> PropertiesError {
        let problems = error.problems.map { problem in
            guard problem.file == nil, let text = problem.path, let path = try? PropertyPath(parsing: text) else {
                return problem
            }
            var problem = problem
            let origin = origin(of: path)
            problem.file = origin?.name
            problem.position = origin?.position
            return problem
        }
        return PropertiesError(problems) ?? error
    }
}
