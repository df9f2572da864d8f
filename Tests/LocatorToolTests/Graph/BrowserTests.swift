import Foundation
import LocatorTool
import TestSupport
import Testing

/// The page in a real browser, where a script presses keys and clicks as a person does.
@Suite("The page of a graph, in a browser", .enabled(if: Browser.path != nil), .oneThread)
struct BrowserTests {
    private func log(of script: String, on graph: SampleGraph = .small) throws -> String {
        let page = locator("graph", "--format", "html", input: graph.json).output
        return try Browser.log(of: script, in: page)
    }

    @Test func search_stepsThroughItsHits() throws {
        let log = try log(
            of: """
                press(document.body, "/");
                log("focus", document.activeElement.id);
                type("cat");
                log("found", texts("#hits li"), "count", find("count").textContent);
                type("s");
                log("count", find("count").textContent, "marked", texts(".hit > title"));
                press(searchField, "ArrowDown");
                log("count", find("count").textContent, "selected", texts(".selected > title"));
                press(searchField, "Enter");
                log("count", find("count").textContent, "selected", texts(".selected > title"));
                press(searchField, "ArrowUp");
                press(searchField, "ArrowUp");
                log("count", find("count").textContent, "selected", texts(".selected > title"));
                log("active", searchField.getAttribute("aria-activedescendant"));
                type("nothing of this name");
                log("count", find("count").textContent, "open", searchField.getAttribute("aria-expanded"));
                press(searchField, "Escape");
                log("focus", document.activeElement.id, "text", searchField.value, "selected", texts(".selected"));
                """)
        #expect(
            log == """
                focus search
                found any Catalogsingleton · Shop count 1 found
                count 10 found marked Storefront|any Catalog|any Orders|any Logger "file"|any Clock<"&'|Invoice|\
                any PriceList|server.url|Basket|any Sellable
                count 1 of 10 selected Storefront
                count 2 of 10 selected server.url
                count 10 of 10 selected Invoice
                active hit9
                count none open false
                focus canvas text  selected
                """)
    }

    @Test func highlight_tellsWhatIsNeededFromWhatNeeds() throws {
        let log = try log(
            of: """
                const shown = () => log("selected", texts(".selected > title"), "needs", texts(".node.needs > title"),
                  "needed by", texts(".node.needed > title"), "both", texts(".node.both > title"));
                log("modules", texts("#modules li"));
                click(find("n2"));
                shown();
                log("lines", document.querySelectorAll(".line.needs").length,
                  document.querySelectorAll(".line.needed").length);
                log("details", texts("#details h3, #details h2, #details li"));
                log("facts", texts("#details dt, #details dd"));
                log("problems", texts("#problems li"));
                click(document.querySelector('#details [data-go="1"]'));
                log("focus", document.activeElement.id);
                shown();
                log("problems", texts("#problems li"));
                press(document.activeElement, "Escape");
                shown();
                log("problems", document.querySelectorAll("#problems li").length);
                """)
        #expect(
            log == """
                modules Fakespriority 1000, pushed|Shoppriority 500|Mailpriority 500, off unless profile "prod"
                selected any Orders needs any Catalog|any Logger "file"|any Clock<"&'|any PriceList|server.url \
                needed by Storefront|Invoice|Basket both
                lines 6 5
                details any Orders|Needs (3)|any Catalog|any Logger "file"collection|any Clock<"&'optional|\
                Needed by (2)|Storefront|Invoicelazy
                facts kind|registration|scope|always|module|Shop|location|Shop/Shop.swift:1|instance|created
                problems
                focus n1
                selected any Catalog needs any Logger "file"|any PriceList|server.url \
                needed by Storefront|any Orders|Invoice|Basket|any Sellable both
                problems Shop/Shop.swift:41: error: any Catalog needs any PriceList, which is not registered
                  fix: </script><script>alert("1")</script> & more
                selected  needs  needed by  both
                problems 3
                """)
    }

    @Test func keyboard_walksZoomsAndMoves() throws {
        let log = try log(
            of: """
                const near = (a, b) => Math.abs(a - b) < 0.001;
                const start = { ...position };
                press(document.body, "+");
                log("larger", near(position.scale, start.scale * 1.25));
                press(document.body, "-");
                press(document.body, "-");
                log("smaller", near(position.scale, start.scale * 0.8));
                press(document.body, "ArrowLeft");
                press(document.body, "ArrowUp");
                press(document.body, "0");
                log("fits", near(position.x, start.x), near(position.y, start.y), near(position.scale, start.scale));
                press(canvas, "ArrowRight");
                press(canvas, "ArrowDown");
                log("moved", position.x - start.x, position.y - start.y);
                canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, clientX: 300, clientY: 300,
                  cancelable: true }));
                log("wheel", position.scale > start.scale);
                log("reached with Tab", [...document.querySelectorAll('.node[tabindex="0"]')].map(n => n.id));
                find("n0").focus();
                press(document.activeElement, "ArrowRight");
                log("right", document.activeElement.id);
                press(document.activeElement, "ArrowDown");
                log("down", document.activeElement.id);
                press(document.activeElement, "ArrowLeft");
                log("left", document.activeElement.id);
                press(document.activeElement, "Enter");
                log("selected", texts(".selected > title"), find("n0").getAttribute("aria-pressed"));
                log("live", find("live").textContent);
                """)
        #expect(
            log == """
                larger true
                smaller true
                fits true true true
                moved -60 -60
                wheel true
                reached with Tab n0
                right n5
                down n2
                left n5
                selected Invoice false
                live Invoice: needs 6, needed by 2
                """)
    }

    @Test func texts_stayTexts() throws {
        let log = try log(
            of: """
                log("scripts", document.scripts.length - 1);
                log("alerted", window.isAlerted === true);
                click(find("n4"));
                log("key", texts("#details h3"));
                log("roles", document.querySelectorAll("#nodes > [role=button][aria-label]").length);
                log("problem", find("graph").textContent.includes("<"), graph.problems[0].text.split("\\n")[1]);
                """)
        #expect(
            log == """
                scripts 2
                alerted false
                key any Clock<"&'
                roles 10
                problem false   fix: </script><script>alert("1")</script> & more
                """)
    }

    /// If the boxes are too small for their texts, readable names are shown over them.
    @Test(arguments: [100, 500, 2000]) func far_namesCanBeRead(count: Int) throws {
        let log = try log(
            of: """
                const labels = () => [...document.querySelectorAll("#names text")];
                const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                const check = () => {
                  const areas = labels().map(label => label.getBoundingClientRect());
                  log("enough", areas.length >= 15, "large", areas.every(area => area.height > 10),
                    "in view", labels().every(inView), "apart", areas.every((a, index) => areas.slice(index + 1).every(b => !overlap(a, b))));
                };
                check();
                log("problems", labels().some(label => label.textContent === "Telemetry"));
                type("any Logger");
                select(graph.nodes.find(node => node.name === "any Logger").id);
                check();
                log("selected first", labels()[0].textContent);
                place(0, 0, 1);
                log("near", labels().length);
                """, on: .program(of: count))
        #expect(
            log == """
                enough true large true in view true apart true
                problems true
                enough true large true in view true apart true
                selected first Logger
                near 0
                """)
    }

    /// Names of modules are visible at any distance, and do not overlap each other or the names of nodes.
    @Test(arguments: [100, 500, 2000]) func modules_areNamedAtAnyDistance(count: Int) throws {
        let log = try log(
            of: """
                const labels = id => [...find(id).children];
                const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                const check = () => {
                  const areas = [...labels("module-names"), ...labels("names")].map(label => label.getBoundingClientRect());
                  log("large", areas.every(area => area.height > 10), "in view", labels("module-names").every(inView),
                    "apart", areas.every((a, index) => areas.slice(index + 1).every(b => !overlap(a, b))));
                };
                log("all", labels("module-names").length === groups.length);
                log("with counts", labels("module-names").every(label => / \\d+$/.test(label.textContent)));
                const shown = selector => [...document.querySelectorAll(selector)].filter(line => line.checkVisibility()).length;
                log("lines between modules", shown(".bundle") > 0, "between nodes of them", shown(".across:not(.fault)"));
                check();
                const shop = groups.find(group => group.name === "Shop");
                const area = document.querySelectorAll(".group .frame")[groups.indexOf(shop)], scale = position.scale;
                click(area);
                log("walked into", inView(area), position.scale > scale);
                place(-shop.frame.left - 60, -shop.frame.top - 60, 1);
                log("still named", labels("module-names").some(label => label.textContent.startsWith("Shop")));
                check();
                log("lines between modules", shown(".bundle"), "between nodes of them", shown(".across") > 0);
                fit();
                click(find("n" + graph.nodes.find(node => node.name === "any Logger").id));
                log("needed from elsewhere", shown(".across.needed") > 0);
                """, on: .program(of: count))
        #expect(
            log == """
                all true
                with counts true
                lines between modules true between nodes of them 0
                large true in view true apart true
                walked into true true
                still named true
                large true in view true apart true
                lines between modules 0 between nodes of them true
                needed from elsewhere true
                """)
    }

    /// The cost of a step is linear in the graph.
    ///
    /// A quadratic step would take several hundred lookups per node.
    @Test func fiveHundredNodes_areUsable() throws {
        let log = try log(
            of: """
                log("far", drawing.classList.contains("far"));
                let lookups = 0;
                for (const [type, name] of [[Map, "get"], [Set, "has"]]) {
                  const look = type.prototype[name];
                  type.prototype[name] = function (key) { lookups += 1; return look.call(this, key); };
                }
                const observer = new MutationObserver(() => {});
                observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
                press(document.body, "/");
                type("CatalogScreen");
                press(searchField, "Enter");
                log("selected", texts(".selected > title"), "can be read", position.scale > 0.5);
                log("in view", inView(document.querySelector(".selected")));
                press(document.body, "Escape");
                type("any Logger");
                press(searchField, "Enter");
                press(document.body, "f");
                log("all in view", [...document.querySelectorAll(".node:is(.selected, .needed)")].every(inView));
                const size = graph.nodes.length + graph.edges.length;
                log("changes in proportion", observer.takeRecords().length < 5 * size);
                log("lookups in proportion", lookups < 30 * size);
                """, on: .program(of: 500))
        #expect(
            log == """
                far true
                selected CatalogScreen can be read true
                in view true
                all in view true
                changes in proportion true
                lookups in proportion true
                """)
    }
}
