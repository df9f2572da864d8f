/// The limits of a load, and of a read that resolves placeholders.
///
/// Realistic settings stay far below them. The article `Limits` lists the limits.
package enum Limits {
    /// The bytes of one file.
    package static let fileBytes = 16 << 20
    /// The bytes of all files of a load.
    static let loadBytes = 32 << 20
    /// The files and folders in all directories of a load that have one file per setting.
    static let directoryEntries = 10_000
    /// The bytes of a file that holds one setting.
    static let directoryFileBytes = 1 << 20
    /// The nesting depth of folders in such a directory.
    static let directoryDepth = 32
    /// The entries of a folder.
    static let folderEntries = 100_000
    /// The levels of arrays and objects.
    static let nesting = 128
    /// The values in the files and variables of a load: scalars, arrays, and objects.
    static let values = 500_000
    /// The approximate bytes of the paths of all values.
    ///
    /// With long keys and many deep values, they exceed the bytes of the files.
    static let pathBytes = 32 << 20
    /// The length of the longest name that is compared to find similar names.
    static let nearNameLength = 200
    /// The bytes of text that placeholders build.
    static let builtBytes = 8 << 20
    /// The values that placeholders copy.
    static let builtValues = 250_000
    /// The length of a chain of placeholders that lead to placeholders.
    static let placeholderChain = 256
    /// The nesting depth of defaults.
    static let nestedDefaults = 32
    /// The number of duplicate keys of a file that are reported.
    static let duplicates = 100
    /// The problems of one kind that are collected.
    static let problems = 1000
    /// The number of profiles that are copied and compared to find groups that load the same files.
    package static let combinedProfiles = 2_000_000
    /// The bytes of all files that a command loads for groups, counted once per load.
    package static let groupBytes = 4 << 20
    /// The bytes of an error of another type, times the number of secrets that are searched in it.
    static let secretComparisons = 50_000_000
    /// The number of comparisons of one search for similar names.
    package static let comparisons = 1_000_000
}

/// What is left of the ``Limits`` during a load or a read.
///
/// An amount is taken before it is used. Functions return false if too little is left.
struct Budget {
    private var bytes = Limits.loadBytes
    private var entries = Limits.directoryEntries
    /// The number of values that files and variables may still add.
    private(set) var values = Limits.values
    private var builtBytes = Limits.builtBytes
    private var builtValues = Limits.builtValues

    /// Takes the bytes of a file.
    mutating func takeFile(bytes count: Int) -> Bool { Self.take(count, from: &bytes) }

    /// Takes a file or folder of a directory.
    mutating func takeEntry() -> Bool { Self.take(1, from: &entries) }

    /// Takes the values of a file or variable, of which enough must be left.
    mutating func takeValues(_ count: Int) { values -= count }

    /// Takes bytes of a text that a placeholder builds.
    mutating func takeBuilt(bytes count: Int) -> Bool { Self.take(count, from: &builtBytes) }

    /// Lets a closure subtract the values of a placeholder's target, and the bytes of their texts, from the remaining
    /// amounts.
    mutating func takeBuilt(_ count: (_ values: inout Int, _ bytes: inout Int) -> Void) -> Bool {
        count(&builtValues, &builtBytes)
        return builtValues > 0 && builtBytes > 0
    }

    private static func take(_ count: Int, from remaining: inout Int) -> Bool {
        guard count <= remaining else { return false }
        remaining -= count
        return true
    }
}
