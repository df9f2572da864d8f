// Preconcurrency, because the C library's list of variables is a global variable. See `ofProcess`.
#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#elseif canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A snapshot of environment variables.
///
/// Few programs read more than one or two variables. The snapshot of the process therefore keeps the system's texts,
/// and a dictionary is created only on request.
package struct EnvironmentVariables: Sendable {
    private enum Content {
        case values([String: String])
        /// The texts `NAME=value`, in the order of the system.
        case assignments([String])
    }

    private let content: Content
    /// The variables whose values are not UTF-8; empty if the system does not give their bytes.
    ///
    /// The invalid bytes of their values are replaced.
    let notUTF8: Set<String>

    /// Creates a snapshot from the caller's variables.
    init(_ values: [String: String]) {
        content = .values(values)
        notUTF8 = []
    }

    #if canImport(Glibc) || canImport(Musl)
        private init(assignments: [String], notUTF8: Set<String>) {
            content = .assignments(assignments)
            self.notUTF8 = notUTF8
        }

        /// The current variables of the process.
        package static var ofProcess: EnvironmentVariables {
            // Unsafe, as `getenv` is: if a program sets variables while another thread reads them, that is a race that
            // no library can prevent.
            var assignments: [String] = []
            var notUTF8: Set<String> = []
            // Optional, because there is no list after `clearenv`.
            var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
            while let place = next, let assignment = place.pointee {
                if let text = String(validatingCString: assignment) {
                    assignments.append(text)
                } else {
                    let text = String(cString: assignment)
                    assignments.append(text)
                    notUTF8.insert(String(name(of: text)))
                }
                next = place + 1
            }
            return EnvironmentVariables(assignments: assignments, notUTF8: notUTF8)
        }
    #else
        /// The current variables of the process.
        package static var ofProcess: EnvironmentVariables { EnvironmentVariables(ProcessInfo.processInfo.environment) }
    #endif

    /// The value of a variable.
    subscript(name: String) -> String? {
        switch content {
        case .values(let values):
            return values[name]
        case .assignments(let assignments):
            // The last one, as in the dictionary.
            return assignments.last { Self.assigns($0, to: name) }.map { Self.value(of: $0, after: name) }
        }
    }

    /// All variables by name.
    package var all: [String: String] {
        switch content {
        case .values(let values):
            return values
        case .assignments(let assignments):
            var values: [String: String] = [:]
            for assignment in assignments {
                let name = Self.name(of: assignment)
                if name.utf8.count == assignment.utf8.count { continue }
                values[String(name)] = Self.value(of: assignment, after: name)
            }
            return values
        }
    }

    /// Returns the sorted names whose length differs from another name by at most one byte.
    func names(aboutAsLongAs name: String) -> [String] {
        names { abs($0.utf8.count - name.utf8.count) <= 1 }
    }

    /// Returns the sorted names that begin with a prefix, in any case.
    func names(beginningLike prefix: String) -> [String] {
        names { name in
            name.utf8.count >= prefix.utf8.count
                && zip(name.utf8, prefix.utf8).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 && $0.isLetter }
        }
    }

    private func names(where isWanted: (Substring) -> Bool) -> [String] {
        let names =
            switch content {
            case .values(let values): values.keys.map { $0[...] }
            case .assignments(let assignments): assignments.map(Self.name)
            }
        return names.filter(isWanted).map(String.init).sorted()
    }

    /// The name before the first byte `=`, which may be one character together with a mark at the beginning of the value.
    private static func name(of assignment: String) -> Substring {
        Substring(assignment.utf8.prefix { $0 != UInt8(ascii: "=") })
    }

    private static func assigns(_ assignment: String, to name: String) -> Bool {
        let (bytes, nameBytes) = (assignment.utf8, name.utf8)
        return bytes.starts(with: nameBytes) && bytes.dropFirst(nameBytes.count).first == UInt8(ascii: "=")
    }

    private static func value(of assignment: String, after name: some StringProtocol) -> String {
        String(assignment.utf8.dropFirst(name.utf8.count + 1)) ?? ""
    }
}
