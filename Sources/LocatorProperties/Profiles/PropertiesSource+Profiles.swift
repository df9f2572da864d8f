extension PropertiesSource {
    /// The profiles that have a file in the folders, or nil for a list of files, for which profiles need no file.
    package var profilesWithFiles: [String]? { folders(choice: chosenFolders).map(profiles) }

    /// Returns the folders to read, or nil for a list of files.
    ///
    /// A folder variable may choose other folders.
    func folders(choice: (folders: [String], variable: String)?) -> [Folder]? {
        switch (choice, files) {
        case ((let chosen, let variable)?, _): Folder.all(chosen, chosenBy: variable)
        case (nil, .folder(let folder)): Folder.all([folder])
        case (nil, .folders(let list)): Folder.all(list)
        case (nil, .files): nil
        }
    }

    /// Returns the profiles that have a file in folders.
    func profiles(in folders: [Folder]) -> [String] {
        let names = folders.flatMap { (try? fileSystem.list($0.listed)) ?? [] }
        return names.compactMap(Self.profile(ofFile:)).filter(ProfileList.isName)
    }
}
