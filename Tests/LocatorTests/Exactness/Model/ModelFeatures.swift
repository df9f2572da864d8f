/// What random programs may contain, besides one context, its modules, and requests.
struct ModelFeatures: OptionSet {
    let rawValue: Int

    static let children = ModelFeatures(rawValue: 1 << 0)
    static let forks = ModelFeatures(rawValue: 1 << 1)
    /// Children end while others continue.
    static let ends = ModelFeatures(rawValue: 1 << 2)
    /// Wrappers in long-lived holders of every context.
    static let holders = ModelFeatures(rawValue: 1 << 3)
    /// Wrappers of ended contexts are read.
    static let holdersOfTheEnded = ModelFeatures(rawValue: 1 << 4)
    /// Factory closures read wrappers of holders of their own context.
    static let heldReads = ModelFeatures(rawValue: 1 << 5)
    /// Factory closures read wrappers of holders of a parent.
    static let parentReads = ModelFeatures(rawValue: 1 << 6)
    /// Instances have wrappers, which others read.
    static let peers = ModelFeatures(rawValue: 1 << 7)
    static let injections = ModelFeatures(rawValue: 1 << 8)
    /// Factory closures fail while a flag is set, or because of a setting.
    static let failures = ModelFeatures(rawValue: 1 << 9)
    static let weak = ModelFeatures(rawValue: 1 << 10)
    /// Conditions also read settings of modules, so that a push can turn a module on.
    static let followingConditions = ModelFeatures(rawValue: 1 << 11)
    /// Collections come from `.first` or from `.where { }`.
    static let chosenModules = ModelFeatures(rawValue: 1 << 12)
    /// A file turns on modules with `.always` instances, whose factory closures may fail.
    static let alwaysByFiles = ModelFeatures(rawValue: 1 << 13)
    /// Children are not used after a change of their parent until the program uses them.
    static let lagging = ModelFeatures(rawValue: 1 << 14)
    /// Modules with a condition include others, whose `.always` instances are made when these are loaded on their own.
    static let conditionalIncludes = ModelFeatures(rawValue: 1 << 15)
    /// A load is removed whose modules stay, because another load names or includes them.
    static let remainders = ModelFeatures(rawValue: 1 << 16)
    /// Children and their parents make parts of scope `.graph` for one request.
    static let graphsOfChildren = ModelFeatures(rawValue: 1 << 17)
    /// A factory closure fails in the parent of the child that requests it.
    static let failuresOfParents = ModelFeatures(rawValue: 1 << 18)
    /// A child resets a scope that it has not opened.
    static let scopesOfParents = ModelFeatures(rawValue: 1 << 19)
    /// A parent makes an instance that its child has already made for itself, although one would do for both.
    static let twins = ModelFeatures(rawValue: 1 << 20)
    /// A wrapper of a child is read after a change of a parent has ended its value.
    static let holdersAfterParents = ModelFeatures(rawValue: 1 << 21)
    /// A fork of a child loads or reloads files.
    static let filesOfChildren = ModelFeatures(rawValue: 1 << 22)
    /// A child is asked through an alias for its own instance, which its parent has not made.
    static let aliasesOfChildren = ModelFeatures(rawValue: 1 << 23)
    /// Asynchronous factory closures with parameters.
    static let asynchronous = ModelFeatures(rawValue: 1 << 24)
    /// The bodies of asynchronous factory closures also read.
    static let asynchronousReads = ModelFeatures(rawValue: 1 << 25)
    /// Injections into the parts of asynchronous factory closures.
    static let asynchronousInjections = ModelFeatures(rawValue: 1 << 26)
    /// A factory closure catches the error that an asynchronous part has not been made.
    static let caughtNotStarted = ModelFeatures(rawValue: 1 << 27)
    /// Weak instances end on their own.
    static let weakEnds = ModelFeatures(rawValue: 1 << 28)
    /// Weak instances of children end on their own.
    static let weakEndsOfChildren = ModelFeatures(rawValue: 1 << 29)
    /// Children push modules with plain registrations, and are used before anything else happens.
    static let plainPushes = ModelFeatures(rawValue: 1 << 30)
    /// Modules declare inputs of scopes that children open.
    static let inputs = ModelFeatures(rawValue: 1 << 31)
    /// A type is decoded from the settings, unless a module registers it.
    static let configurations = ModelFeatures(rawValue: 1 << 32)
    /// A reload makes the asynchronous instances before the context uses the new settings.
    static let replacingReloads = ModelFeatures(rawValue: 1 << 33)
    /// Children keep the settings of one load.
    static let keptSettings = ModelFeatures(rawValue: 1 << 34)

    /// The features that are tested.
    static let working: ModelFeatures = [
        .children, .forks, .ends, .holders, .holdersOfTheEnded, .heldReads, .parentReads, .peers, .injections,
        .failures, .weak, .followingConditions, .chosenModules, .alwaysByFiles, .lagging, .conditionalIncludes,
        .remainders,
        .graphsOfChildren, .failuresOfParents, .scopesOfParents, .twins, .holdersAfterParents, .filesOfChildren,
        .aliasesOfChildren, .asynchronous, .asynchronousReads, .caughtNotStarted, .weakEnds,
        .plainPushes, .inputs, .configurations, .replacingReloads, .keptSettings,
    ]

    static let all: ModelFeatures = [
        .children, .forks, .ends, .holders, .holdersOfTheEnded, .heldReads, .parentReads, .peers, .injections,
        .failures, .weak, .followingConditions, .chosenModules, .alwaysByFiles, .lagging, .conditionalIncludes,
        .remainders, .graphsOfChildren, .failuresOfParents,
        .scopesOfParents, .twins, .holdersAfterParents, .filesOfChildren,
        .aliasesOfChildren, .asynchronous, .asynchronousReads, .asynchronousInjections, .caughtNotStarted, .weakEnds,
        .weakEndsOfChildren, .plainPushes, .inputs, .configurations, .replacingReloads, .keptSettings,
    ]
}
