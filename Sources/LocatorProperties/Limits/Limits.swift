/// How much a load, or a read that resolves placeholders, may use.
///
/// Honest settings stay far below. The article `Limits` lists all of it.
package enum Limits {
    /// The bytes of one file.
    package static let fileBytes = 16 << 20
    /// The bytes of all files of a load.
    static let loadBytes = 32 << 20
    /// The files and folders in the directories of a load that have a file for each setting.
    static let directoryEntries = 10_000
    /// The bytes of a file that holds one setting.
    static let directoryFileBytes = 1 << 20
    /// The folders around such a file.
    static let directoryDepth = 32
    /// The names of what is in a folder.
    static let folderEntries = 100_000
    /// The levels of arrays and objects.
    static let nesting = 128
    /// The values in the files and variables of a load: scalars, arrays and objects.
    static let values = 500_000
    /// About the bytes of the paths of all values: where keys are long, and many values deep, they outgrow the files.
    static let pathBytes = 32 << 20
    /// The longest name that is compared to find near ones.
    static let nearNameLength = 200
    /// The bytes of text that placeholders build.
    static let builtBytes = 8 << 20
    /// The values that placeholders copy to where they stand.
    static let builtValues = 250_000
    /// How deep placeholders may lead to placeholders.
    static let placeholderChain = 256
    /// Defaults within defaults.
    static let nestedDefaults = 32
    /// The keys that a file has twice, as far as they are listed.
    static let duplicates = 100
    /// The problems of one kind that are collected.
    static let problems = 1000
    /// The profiles that are copied and compared to find groups that load the same files.
    static let combinedProfiles = 2_000_000
    /// The bytes of all files that a command loads for groups, each as often as it is loaded.
    package static let groupBytes = 4 << 20
    /// The comparisons that one search for near names makes.
    package static let comparisons = 1_000_000
}

/// What is left of the ``Limits`` of a load or a read; taken before it is used.
struct Budget {
    private var bytes = Limits.loadBytes
    private var entries = Limits.directoryEntries
    /// How many more values files and variables may hold.
    private(set) var values = Limits.values
    private var builtBytes = Limits.builtBytes
    private var builtValues = Limits.builtValues

    /// Takes the bytes of a file; false where there are not so many left.
    mutating func takeFile(bytes count: Int) -> Bool { Self.take(count, from: &bytes) }

    /// Takes a file or folder of a directory; false where there are not so many left.
    mutating func takeEntry() -> Bool { Self.take(1, from: &entries) }

    /// Takes the values of a file or variable, which are not more than there are left.
    mutating func takeValues(_ count: Int) { values -= count }

    /// Takes bytes of a text that a placeholder builds; false where there are not so many left.
    mutating func takeBuilt(bytes count: Int) -> Bool { Self.take(count, from: &builtBytes) }

    /// Lets a function count the values of what a placeholder leads to, and the bytes of their texts, down from what is
    /// left; false where that is not enough.
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
