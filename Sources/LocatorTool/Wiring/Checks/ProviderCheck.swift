import Locator

/// The keys that the wiring of a program provides to its wrappers.
struct ProviderCheck {
    /// A node with a key that can be requested.
    private typealias Provider = ContextGraph.Node

    struct Problem: Equatable {
        var severity: Finding.Severity
        var message: String
        /// Similar keys, as the end of the message.
        var hints: String
    }

    /// The profiles that were active when the graph was written.
    let profiles: [String]
    /// The modules that are off, so that the graph does not show their registrations.
    let modulesThatAreOff: [ContextGraph.Module]
    private let byType: [String: [Provider]]
    private let names: [String]
    private let components: Set<String>
    /// The element types of arrays that the program declares as possibly empty.
    private let mayBeEmpty: Set<String>

    init(_ graph: ContextGraph) {
        profiles = graph.profiles
        modulesThatAreOff = graph.modules.filter { $0.offUnless != nil }
        var byType: [String: [Provider]] = [:]
        for node in graph.nodes {
            switch node.kind {
            case .registration, .instance, .input, .factory, .alias, .configuration:
                guard let type = node.qualifiedType else { continue }
                byType[TypeText(type).canonical, default: []].append(node)
            case .decorator, .property, .missing: continue
            }
        }
        self.byType = byType
        names = Set(byType.values.joined().map(\.name)).sorted()
        components = Set(graph.modules.flatMap(\.components).map { TypeText($0).generic })
        mayBeEmpty = Set(graph.modules.flatMap { $0.mayBeEmpty ?? [] }.map { TypeText($0).canonical })
    }

    /// Whether a module lists the type as a component.
    func lists(_ component: TypeText) -> Bool { components.contains(component.generic) }

    /// Returns the problem of a request for a type and a qualifier, or nil if it can be resolved.
    func problem(_ wanted: Wanted, qualifier: String?) -> Problem? {
        let ofType = byType[wanted.type.canonical] ?? []
        let candidates = ofType.filter { ($0.payload == nil) == (wanted.payload == nil) }
        let answering = candidates.filter { provider in
            // An unqualified request may resolve to a qualified registration if there is no other.
            (qualifier == nil || provider.qualifier == qualifier)
                && (wanted.payload.map(provider.takes) ?? true)
        }
        if let payload = wanted.payload?.short, !wanted.isAwaited, !answering.isEmpty,
            answering.allSatisfy(\.isAsynchronous)
        {
            let types = "<\(payload), \(wanted.type.short)>"
            return Problem(
                severity: .error, message: "the factory of \(wanted.type.short) from \(payload) is asynchronous",
                hints: "; take an AsyncFactory\(types)")
        }
        if !answering.isEmpty { return wanted.isCollection ? nil : ambiguity(wanted, answering) }
        let name = hasNamesake(wanted) ? wanted.type.text : wanted.type.short
        let key = qualifier.map { "\(name) \"\($0)\"" } ?? name
        let problem =
            wanted.payload.map { payload in
                let name = hasOtherPayload(wanted, ofType) ? payload.text : payload.short
                return "no factory of \(key) takes a payload of type \(name)"
            } ?? "\(key) is not registered"
        let hints = hints(wanted, ofType, candidates)
        // Reading an array without elements is not an error. The elements may be in a module that is off.
        if wanted.isCollection, wanted.payload == nil {
            if mayBeEmpty.contains(wanted.type.canonical) || hints.isEmpty && !modulesThatAreOff.isEmpty { return nil }
            return Problem(severity: .warning, message: "\(problem), so the array is empty", hints: hints)
        }
        // An optional is nil only if no registration provides the type.
        let isMadeFromPayload =
            wanted.payload == nil
            && ofType.contains { $0.payload != nil && (qualifier == nil || $0.qualifier == qualifier) }
        if wanted.isOptional, !isMadeFromPayload {
            // That is valid, unless something similar exists.
            if hints.isEmpty { return nil }
            return Problem(severity: .warning, message: "\(problem), so it is nil", hints: hints)
        }
        return Problem(severity: .error, message: problem, hints: hints)
    }

    /// Returns the problem if several registrations match.
    ///
    /// The first module with a matching registration decides.
    private func ambiguity(_ wanted: Wanted, _ answering: [Provider]) -> Problem? {
        let visible = answering.filter { !$0.isHidden }
        let unqualified = visible.filter { $0.qualifier == nil }
        let equals = unqualified.isEmpty ? visible : unqualified
        let first = equals.filter { $0.module == equals[0].module }
        // The graph does not show whether the registration of an alias is primary.
        if first.count < 2 || first.contains(where: { $0.kind == .alias }) || first.filter(\.isPrimary).count == 1 {
            return nil
        }
        return Problem(
            severity: .error,
            message: "\(first.count) registrations match \(wanted.type.short), and none of them is primary",
            hints: "; candidates: \(first.map(\.titleWithPlace).joined(separator: ", "))")
    }

    /// Returns similar keys: `; near: any Logger "console" (Shop/Shop.swift:46)`, or an empty string.
    private func hints(_ wanted: Wanted, _ ofType: [Provider], _ candidates: [Provider]) -> String {
        let isInFull = hasOtherPayload(wanted, ofType)
        let payloads = Set(ofType.compactMap { isInFull ? $0.qualifiedPayload : $0.payload }).sorted()
        if wanted.payload != nil, !payloads.isEmpty { return "; the registered factories take \(Self.list(payloads))" }
        if candidates.isEmpty, !payloads.isEmpty {
            let factories = payloads.map { "Factory<\($0), \(wanted.type.short)>" }
            return "; it is made by a factory: take a \(Self.list(factories))"
        }
        var near = ofType
        if near.isEmpty {
            let names = NearNames.nearest(to: wanted.type.short, among: names)
            // The same name means a type of another module.
            near = byType.values.joined().filter { $0.name == wanted.type.short || names.contains($0.name) }
        }
        let isNamesake = hasNamesake(wanted)
        let titles = near.map { isNamesake && $0.name == wanted.type.short ? $0.qualified : $0 }.map(\.titleWithPlace)
        return near.isEmpty ? "" : "; near: \(Set(titles).sorted().joined(separator: ", "))"
    }

    /// Whether nothing is registered for the type, but something for one with the same name, which is in another module
    /// or another type.
    private func hasNamesake(_ wanted: Wanted) -> Bool {
        byType[wanted.type.canonical] == nil && names.contains(wanted.type.short)
    }

    /// Whether a factory takes another payload with the same name.
    private func hasOtherPayload(_ wanted: Wanted, _ ofType: [Provider]) -> Bool {
        guard let payload = wanted.payload else { return false }
        return ofType.contains { $0.payload == payload.short && !$0.takes(payload) }
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: " or ") }
}

extension ContextGraph.Node {
    /// The node with the name that also contains its module and outer types.
    fileprivate var qualified: ContextGraph.Node {
        var node = self
        node.name = qualifiedType ?? name
        return node
    }

    /// Whether it is a factory that takes a payload.
    fileprivate func takes(_ payload: TypeText) -> Bool {
        // Earlier versions of the library wrote only the name without modules.
        guard let qualifiedPayload else { return self.payload == payload.short }
        return TypeText(qualifiedPayload).canonical == payload.canonical
    }

    fileprivate var titleWithPlace: String { location.map { "\(title) (\($0))" } ?? title }
}
