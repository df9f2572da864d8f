internal import LocatorProperties

extension Validator {
    /// Reports all problems of a context, in its current state or in profiles.
    static func report(on core: ContextCore, profiles: [ProfileList]) -> ValidationReport {
        if core.locked({ core.isClosed }) {
            let finding = Finding(
                kind: .missing, message: "the context has ended",
                suggestion: core.goneFix)
            return ValidationReport(findings: [finding], registrationCount: 0, profiles: [])
        }
        if profiles.isEmpty { return AppContext(snapshotOf: core).validate(asSnapshotOf: core) }
        let subject = Subject(of: core, inProfiles: true)
        let profiles = profiles.withoutRepetitions
        let names = profiles.map { $0.names.isEmpty ? "no profile" : $0.names.joined(separator: ",") }
        var merged = MergedFindings()
        var registrationCount = 0
        for (profile, name) in zip(profiles, names) {
            let fork = AppContext(snapshotOf: core)
            do throws(LocatorError) {
                try fork.core.reloadProperties(profiles: profile, makesAlways: false)
            } catch {
                merged.add(findings(on: error), in: name)
                continue
            }
            let (wiring, findings) = findings(in: fork, of: subject)
            registrationCount = max(registrationCount, wiring.registrationCount)
            merged.add(findings, in: name)
        }
        return ValidationReport(findings: merged.findings, registrationCount: registrationCount, profiles: names)
    }

    /// The problems of the files of a profile.
    private static func findings(on error: LocatorError) -> [Finding] {
        guard case .properties(let properties) = error.kind else {
            return [Finding(kind: .property, message: error.description)]
        }
        return properties.problems.map { problem in
            var message = problem
            (message.file, message.position) = (nil, nil)
            return Finding(
                kind: .property, file: problem.place, message: message.description, suggestion: problem.fix)
        }
    }
}

extension Validator.Subject {
    init(of core: ContextCore, inProfiles: Bool = false) {
        isLoadedAnew = inProfiles
        isFork = core.isFork
        (pushed, pushedWithIncluded) = core.locked {
            let lineup = core.state.lineup
            let pushed = IdentitySet(lineup.roots.lazy.filter(lineup.isPushed).map(\.loaded.identity))
            // A fork begins without pushes of its own. The pushed modules that it has taken over from its origin still
            // hide others on purpose.
            var all: IdentitySet = []
            for root in lineup.roots where root.isPushed && !all.contains(root.loaded.identity) {
                for loaded in lineup.reached(from: root.loaded) { all.insert(loaded.identity) }
            }
            return (pushed, all)
        }
        let cores = Array(core.lineage)
        var depths: [Scope: Int] = [:]
        var firstDepths: [Scope: Int] = [:]
        var inputs: [Scope: [Input]] = [:]
        core.locked {
            for (depth, core) in cores.reversed().enumerated() {
                for scope in core.opened {
                    (depths[scope], inputs[scope]) = (depth, core.inputs)
                    firstDepths[scope] = firstDepths[scope] ?? depth
                }
            }
        }
        (self.depths, self.firstDepths, self.inputs) = (depths, firstDepths, inputs)
        depth = cores.count - 1
        moduleDepths = core.locked {
            let lineup = core.state.lineup
            var depths: IdentityTable<Int> = [:]
            // A fork has one context, even if there were several above its origin.
            for root in lineup.roots {
                let depth = root.level - core.level + cores.count - 1
                if depth <= 0 { continue }
                for loaded in lineup.reached(from: root.loaded) {
                    depths[loaded.identity] = max(depth, depths[loaded.identity] ?? 0)
                }
            }
            return depths
        }
    }
}

/// The findings of several profiles, without duplicates.
///
/// A finding with other notes or another fix is not a duplicate, because its reader has to do something else.
private struct MergedFindings {
    private(set) var findings: [Finding] = []
    private var positions: [Finding: Int] = [:]

    mutating func add(_ new: [Finding], in profile: String) {
        for var finding in new {
            if let position = positions[finding] {
                findings[position].profiles.append(profile)
                continue
            }
            positions[finding] = findings.count
            finding.profiles = [profile]
            findings.append(finding)
        }
    }
}
