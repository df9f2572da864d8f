/// What random programs consist of, beside one context, its modules and requests.
struct ModelFeatures: OptionSet {
    let rawValue: Int

    static let children = ModelFeatures(rawValue: 1 << 0)
    static let forks = ModelFeatures(rawValue: 1 << 1)
    /// Children end while others go on.
    static let ends = ModelFeatures(rawValue: 1 << 2)
    /// Wrappers in long-lived holders of every context.
    static let holders = ModelFeatures(rawValue: 1 << 3)
    /// Wrappers of ended contexts are read.
    static let holdersOfTheEnded = ModelFeatures(rawValue: 1 << 4)
    /// Makers read the wrappers of holders of their own context.
    static let heldReads = ModelFeatures(rawValue: 1 << 5)
    /// Makers read the wrappers of holders of a parent.
    static let parentReads = ModelFeatures(rawValue: 1 << 6)
    /// Instances keep wrappers, which others read.
    static let peers = ModelFeatures(rawValue: 1 << 7)
    static let injections = ModelFeatures(rawValue: 1 << 8)
    /// Makers fail while a flag is set, and on a setting.
    static let failures = ModelFeatures(rawValue: 1 << 9)
    static let weak = ModelFeatures(rawValue: 1 << 10)
    /// Conditions also read what modules set, so that a push can turn a module on.
    static let followingConditions = ModelFeatures(rawValue: 1 << 11)
    /// Collections come from `.first` or from `.where { }`.
    static let chosenModules = ModelFeatures(rawValue: 1 << 12)
    /// A file turns modules on that have `.always` instances, whose makers may fail.
    static let alwaysByFiles = ModelFeatures(rawValue: 1 << 13)
    /// Nothing is asked of children after a change of their parent, until the program does.
    static let lagging = ModelFeatures(rawValue: 1 << 14)
    /// Modules with a condition include others, whose `.always` instances are made when they are loaded by themselves.
    static let conditionalIncludes = ModelFeatures(rawValue: 1 << 15)
    /// Modules are taken off where they were loaded first, and stay because another load names or includes them.
    static let remainders = ModelFeatures(rawValue: 1 << 16)
    /// Children and their parents make parts of scope `.graph` for one request.
    static let graphsOfChildren = ModelFeatures(rawValue: 1 << 17)
    /// A maker fails in the parent of the child whose maker asks.
    static let failuresOfParents = ModelFeatures(rawValue: 1 << 18)
    /// A child resets a scope that it has not opened.
    static let scopesOfParents = ModelFeatures(rawValue: 1 << 19)
    /// A parent makes an instance that its child has already made for itself, and that would do for both.
    static let twins = ModelFeatures(rawValue: 1 << 20)
    /// A wrapper of a child is read after what it has was ended by a change of a parent.
    static let holdersAfterParents = ModelFeatures(rawValue: 1 << 21)
    /// A fork of a child reads files, or reads them again.
    static let filesOfChildren = ModelFeatures(rawValue: 1 << 22)
    /// A child is asked over an alias for what it has made for itself and its parent has not made.
    static let aliasesOfChildren = ModelFeatures(rawValue: 1 << 23)
    /// Asynchronous makers, which read over parameters.
    static let asynchronous = ModelFeatures(rawValue: 1 << 24)
    /// The bodies of asynchronous makers read as others do.
    static let asynchronousReads = ModelFeatures(rawValue: 1 << 25)
    /// Injections into what asynchronous makers take.
    static let asynchronousInjections = ModelFeatures(rawValue: 1 << 26)
    /// A maker goes on without an asynchronous part that has not been made.
    static let caughtNotStarted = ModelFeatures(rawValue: 1 << 27)
    /// What is held weakly ends by itself.
    static let weakEnds = ModelFeatures(rawValue: 1 << 28)
    /// In children as well.
    static let weakEndsOfChildren = ModelFeatures(rawValue: 1 << 29)
    /// Children push modules that only register instances, and are asked before anything else happens.
    static let plainPushes = ModelFeatures(rawValue: 1 << 30)

    /// What the library does right; the others wait for it.
    static let working: ModelFeatures = [
        .children, .forks, .ends, .holders, .holdersOfTheEnded, .heldReads, .parentReads, .peers, .injections,
        .failures, .weak, .followingConditions, .chosenModules, .alwaysByFiles, .lagging, .conditionalIncludes,
        .remainders,
        .graphsOfChildren, .failuresOfParents, .scopesOfParents, .twins, .holdersAfterParents, .filesOfChildren,
        .aliasesOfChildren, .asynchronous, .caughtNotStarted, .weakEnds, .plainPushes,
    ]

    static let all: ModelFeatures = [
        .children, .forks, .ends, .holders, .holdersOfTheEnded, .heldReads, .parentReads, .peers, .injections,
        .failures, .weak, .followingConditions, .chosenModules, .alwaysByFiles, .lagging, .conditionalIncludes,
        .remainders, .graphsOfChildren, .failuresOfParents,
        .scopesOfParents, .twins, .holdersAfterParents, .filesOfChildren,
        .aliasesOfChildren, .asynchronous, .asynchronousReads, .asynchronousInjections, .caughtNotStarted, .weakEnds,
        .weakEndsOfChildren, .plainPushes,
    ]
}
