/// What a text that overrides settings finds at its path.
enum OverrideTarget {
    case existing(JSONValue)
    /// Nothing exists at the path. It may be within an existing array.
    case new(isElement: Bool)
}

extension OverrideRequest.Text {
    /// Finds the path that the text's name refers to and what exists there.
    ///
    /// - Parameters:
    ///   - tree: The settings.
    ///   - prefix: The prefix of variables, or nil if there are none.
    ///   - index: The index of the keys of the settings.
    ///   - owners: The files that have already set a value, by its path.
    ///   - replacesValues: Whether a path may lead through a value without such parts, which it then replaces.
    func match(
        in tree: JSONValue, prefix: String?, _ index: SegmentIndex, _ owners: [PropertyPath: String],
        replacesValues: Bool = false
    ) throws(PropertiesError) -> (OverrideName, PropertyPath, OverrideTarget) {
        guard let name, !name.steps.isEmpty else {
            if let prefix, !prefix.hasSuffix("_"), label.hasPrefix("\(prefix)_") {
                throw PropertiesError(.environment(.prefixWithoutUnderscore(variable: label, prefix: prefix)))
            }
            throw error(file: .namesNoSetting, variable: .malformedName(variable: label))
        }
        guard name.steps.count <= JSONValue.nestingLimit else {
            throw PropertiesError(.environment(.tooDeep(variable: label)))
        }
        var path = PropertyPath.root
        var keys = index
        var node = tree
        for (offset, step) in name.steps.enumerated() {
            let next: PropertyPath.Step
            switch node.storage {
            case .object(let object):
                guard let member = member(of: step, in: object, keys) else {
                    if case .exact(.index) = step { throw noPart(of: path, node, name, offset, owners) }
                    path.steps.append(step.added)
                    let isElement = !path.isOutsideOfArrays
                    return (name, try adding(name, from: offset + 1, to: path), .new(isElement: isElement))
                }
                next = .key(object.key(at: member))
                node = object.value(at: member)
            case .array(let array):
                guard let number = step.number else {
                    guard replacesValues else { throw noPart(of: path, node, name, offset, owners) }
                    return (name, name.path(below: path, from: offset), .new(isElement: !path.isOutsideOfArrays))
                }
                guard number < array.elements.count else {
                    try checkGap(at: path, number, count: array.elements.count)
                    path.steps.append(.index(number))
                    return (name, try adding(name, from: offset + 1, to: path), .new(isElement: true))
                }
                next = .index(number)
                node = array.elements[number]
            case .null:
                let isElement = !path.isOutsideOfArrays
                return (name, try adding(name, from: offset, to: path), .new(isElement: isElement))
            case .boolean, .integer, .decimal, .string:
                guard replacesValues else { throw noPart(of: path, node, name, offset, owners) }
                return (name, name.path(below: path, from: offset), .new(isElement: !path.isOutsideOfArrays))
            }
            path.steps.append(next)
            if offset + 1 < name.steps.count { keys = keys.child(next) }
        }
        return (name, path, .existing(node))
    }

    private func member(of step: OverrideName.Step, in object: JSONObject, _ keys: SegmentIndex) -> Int? {
        switch step {
        case .segment(let segment): keys.find(segment, in: object)
        case .exact(.key(let key)): object.index(ofKey: key)
        case .exact(.index): nil
        }
    }

    /// Returns a path extended by the steps from an offset, where nothing exists yet.
    ///
    /// A number starts a list.
    private func adding(
        _ name: OverrideName, from offset: Int, to path: PropertyPath
    ) throws(PropertiesError) -> PropertyPath {
        var path = path
        for step in name.steps[offset...] {
            if let number = step.number, !path.steps.isEmpty {
                try checkGap(at: path, number, count: 0)
                path.steps.append(.index(number))
            } else {
                path.steps.append(step.added)
            }
        }
        return path
    }

    /// Returns the value that the text sets at its path.
    func checkedValue(
        for path: PropertyPath, replacing target: OverrideTarget, owner: String?, secrets: SecretRules,
        budget: inout Budget
    ) throws(PropertiesError) -> JSONValue {
        if let owner {
            throw PropertiesError(.file(.sameSetting(setting: path.text, file: owner)), file: label)
        }
        guard case .existing(let node) = target else {
            return secrets.markingText(value, at: path, isAddition: true)
        }
        // Elements that a layer above has put together replace an array as a whole.
        if value.arrayValue != nil { return value.secret(where: node) }
        let kind = node.kindInWords
        switch node.storage {
        case .null, .boolean, .integer, .decimal, .string:
            return secrets.markingText(value.secret(where: node), at: path)
        case .object, .array: break
        }
        let source = PropertyOrigin(origin).name
        guard !value.flags.contains(.verbatim), let json = value.stringValue else {
            throw PropertiesError(.file(.neverJSON(expected: kind)), path: path.text, file: source)
        }
        let parsed: JSONValue
        do {
            parsed = try JSONValue(parsing: json, file: source, budget: &budget) {
                secrets.isHidden($0, ofJSONAt: path, over: node)
            }
        } catch {
            guard !secrets.isSecret(path), var problem = error.problems.first else {
                throw PropertiesError(.environment(.secretIsNotJSON(expected: kind)), path: path.text, file: source)
            }
            if !JSONText.beginsContainer(json) {
                let example = node.arrayValue == nil ? JSONText.exampleOfObject : JSONText.exampleOfArray
                problem = PropertiesProblem(
                    .environment(.notJSON(variable: label, expected: kind, example: example)), file: source)
            }
            problem.path = path.text
            throw PropertiesError(problem)
        }
        guard parsed.kindInWords == kind else {
            throw PropertiesError(
                .environment(.mismatch(expected: kind, found: parsed.kindInWords)), path: path.text, file: source)
        }
        guard path.steps.count - 1 + Int(parsed.height) <= JSONValue.nestingLimit else {
            throw PropertiesError(.environment(.tooDeep(variable: label)), path: path.text)
        }
        return secrets.markingJSON(parsed.markingAll(.environment).secret(where: node), at: path, over: node)
    }

    /// Returns the text itself as the value at its path, if it does not fit the value that it replaces.
    ///
    /// That is an error when the value is read.
    func misfit(at path: PropertyPath, replacing target: OverrideTarget, secrets: SecretRules) -> JSONValue {
        guard case .existing(let node) = target else { return secrets.markingText(value, at: path, isAddition: true) }
        return secrets.markingText(value.secret(where: node), at: path)
    }

    private func error(file: FileProblem, variable: EnvironmentProblem) -> PropertiesError {
        switch origin {
        case .file(let path): PropertiesError(.file(file), file: path)
        case .environment, .code: PropertiesError(.environment(variable))
        }
    }

    /// Returns the error for a name that leads into a value without such parts.
    private func noPart(
        of container: PropertyPath, _ node: JSONValue, _ name: OverrideName, _ offset: Int,
        _ owners: [PropertyPath: String]
    ) -> PropertiesError {
        if let owner = owners[container] {
            return PropertiesError(.file(.sameSetting(setting: container.text, file: owner)), file: label)
        }
        let path = name.path(below: container, from: offset).text
        if node.arrayValue != nil, let meant = separatingIndex(in: name.steps[offset]) {
            return PropertiesError(
                .environment(.oneUnderscoreAfterIndex(variable: label, meant: meant)), path: path)
        }
        return PropertiesError(
            .environment(.noSuchPart(variable: label, container: container.text, found: node.kindInWords)),
            path: path)
    }

    /// Returns the variable with two underscores after an index, such as `S_NODES__0__NAME` for `S_NODES__0_NAME`, or nil
    /// if the step does not begin with an index.
    private func separatingIndex(in step: OverrideName.Step) -> String? {
        guard case .segment(let text) = step, text.base == label, let end = text.firstIndex(of: "_"),
            OverrideName.Step.segment(text[..<end]).number != nil
        else { return nil }
        var variable = label
        variable.insert("_", at: end)
        return variable
    }

    /// Checks that a new element directly follows the existing ones.
    private func checkGap(at list: PropertyPath, _ index: Int, count: Int) throws(PropertiesError) {
        guard index > count else { return }
        throw PropertiesError(.environment(.gap(variable: label, list: list.text, index: index, count: count)))
    }
}

extension OverrideName {
    /// Returns a path extended by the steps from an offset, as they are added where nothing corresponds to them.
    fileprivate func path(below container: PropertyPath, from offset: Int) -> PropertyPath {
        PropertyPath(container.steps + steps[offset...].map(\.added))
    }
}

extension JSONValue {
    /// Returns the value with everything marked secret that is secret in the value it replaces, such as that of a file.
    fileprivate func secret(where other: JSONValue) -> JSONValue {
        if other.flags.contains(.secret) { return markingAll(.secret) }
        switch (storage, other.storage) {
        case (.object(var object), .object(let others)):
            for index in object.indices {
                guard let other = others[object.key(at: index)] else { continue }
                object.updateValue(at: index) { $0 = $0.secret(where: other) }
            }
            return replacingContent(with: .object(object))
        case (.array(let array), .array(let others)):
            let marked = zip(array.elements, others.elements).map { $0.secret(where: $1) }
            return replacingContent(
                with: .array(JSONArrayStorage(marked + array.elements.dropFirst(others.elements.count))))
        default:
            return self
        }
    }
}
