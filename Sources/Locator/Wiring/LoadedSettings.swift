internal import LocatorProperties

/// The settings of the profile files and the environment, and how they were loaded.
struct LoadedSettings: Sendable {
    var properties = Properties()
    /// How the profile files were loaded, to load them again.
    var sources: [PropertiesSource] = []
    /// What was read for it, to find out whether the files have changed.
    var reads = FileReads()
}
