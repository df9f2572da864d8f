import Foundation

/// The colors that a style sheet declares as variables: `--ink: #1c2128;`.
struct Colors {
    private var values: [String: [Double]] = [:]

    init(declaredIn sheet: String) {
        for declaration in sheet.prefix(while: { $0 != "}" }).components(separatedBy: ";") {
            let parts = declaration.components(separatedBy: ": #")
            guard parts.count == 2, let number = Int(parts[1].prefix(6), radix: 16) else { continue }
            let name = parts[0].trimmingCharacters(in: .whitespacesAndNewlines).dropFirst(2)
            values[String(name)] = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
        }
    }

    /// The ratio of contrast, as WCAG 2 defines it.
    func contrast(_ text: String, _ ground: String, tintedWith tint: String? = nil, by part: Double = 0) -> Double? {
        guard let text = values[text], var ground = values[ground] else { return nil }
        if let tint {
            guard let tint = values[tint] else { return nil }
            ground = zip(ground, tint).map { $0 * (1 - part) + $1 * part }
        }
        let lights = [luminance(text), luminance(ground)].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    private func luminance(_ color: [Double]) -> Double {
        let linear = color.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
