extension PropertiesSource {
    /// Loads, and notes what is read for it, also where the load fails.
    package func load(noting reads: inout FileReads) throws(PropertiesError) -> Properties {
        let recorder = ReadRecorder(fileSystem)
        defer { reads.add(recorder.reads) }
        var source = self
        source.fileSystem = recorder.recording
        return try source.load()
    }
}
