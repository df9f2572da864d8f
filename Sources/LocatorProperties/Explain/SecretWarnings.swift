extension Properties {
    /// The warnings about listed paths without a setting that are close to one that is not secret.
    package var secretWarnings: [String] {
        storage.secrets.listed.withoutRepetitions.compactMap { path in
            let near = explain(path.text).near.filter {
                guard let near = try? PropertyPath(parsing: $0) else { return false }
                return !storage.secrets.isSecret(near)
            }
            if near.isEmpty { return nil }
            return "\(path.text) is listed as a secret, but is not a setting\(NearNames.question(near))"
                .escapingHidden()
        }
    }
}
