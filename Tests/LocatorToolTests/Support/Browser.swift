import Foundation
import TestSupport
import Testing

/// A browser without a window, where one is installed.
enum Browser {
    /// Where it is: `LOCATOR_BROWSER`, or a Chromium on the PATH.
    static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        if let chosen = environment["LOCATOR_BROWSER"] { return chosen.isEmpty ? nil : chosen }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
        return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The output of a script at the end of a page, and the errors of the page.
    static func log(of script: String, in page: String) throws -> String {
        let folder = try TemporaryFolder(["page.html": page.replacing("</body>", with: "\(frame(script))</body>")])
        let output = try Subprocess.run(
            try #require(path),
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--window-size=1280,800", "--user-data-dir=\(folder.path)/profile", "--dump-dom",
                "file://\(folder.path)/page.html",
            ]
        ).output
        let parts = output.components(separatedBy: "<pre id=\"log\" hidden=\"\">")
        let log = try #require(parts.count == 2 ? parts[1].components(separatedBy: "</pre>").first : nil)
        return log.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
            .trimmingCharacters(in: .newlines)
    }

    /// The script, with a few helper functions.
    private static func frame(_ script: String) -> String {
        """
        <pre id="log" hidden></pre>
        <script>
        const log = (...words) => { find("log").textContent += words.join(" ").trimEnd() + "\\n"; };
        addEventListener("error", event => log("error:", event.message));
        window.alert = () => { window.isAlerted = true; };
        const texts = selector => [...document.querySelectorAll(selector)].map(e => e.textContent).join("|");
        const press = (target, key) => target.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        const click = target => {
          for (const name of ["pointerdown", "pointerup", "click"]) {
            target.dispatchEvent(new PointerEvent(name, { bubbles: true, cancelable: true, button: 0, pointerId: 1 }));
          }
        };
        const type = text => { searchField.value = text; searchField.dispatchEvent(new Event("input")); };
        const inView = element => {
          const box = element.getBoundingClientRect(), area = canvas.getBoundingClientRect();
          return box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom;
        };
        \(script)
        </script>
        """
    }
}
