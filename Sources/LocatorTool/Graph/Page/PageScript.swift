/// The script of the page: search, highlighting, details, and navigation.
enum PageScript {
    static let text = [model, panel, selection, search, view, names, moving, keys].joined(separator: "\n")

    /// The graph: nodes by number, and their dependencies and dependents.
    private static let model = #"""
        "use strict";
        const find = id => document.getElementById(id);
        const graph = JSON.parse(find("graph").textContent);
        const canvas = find("canvas"), drawing = find("drawing"), searchField = find("search"), hitList = find("hits");
        const nodes = new Map(graph.nodes.map(node => [node.id, node]));
        const elements = new Map(graph.nodes.map(node => [node.id, find("n" + node.id)]));
        const lines = [...find("lines").children].map((element, index) => ({ element, edge: graph.edges[index] }));
        const needs = new Map(graph.nodes.map(node => [node.id, []]));
        const needed = new Map(graph.nodes.map(node => [node.id, []]));
        for (const edge of graph.edges) {
          needs.get(edge.from).push({ id: edge.to, kind: edge.kind });
          needed.get(edge.to).push({ id: edge.from, kind: edge.kind });
        }
        const keyOf = node => node.qualifier == null ? node.name : `${node.name} "${node.qualifier}"`;
        const wordOf = kind => kind === "property" ? "setting" : kind;
        const scopeClass = id => [...elements.get(id).classList].find(name => name.startsWith("scope-"));
        const say = text => { find("live").textContent = text; };

        // All reachable nodes, without the first one, unless a cycle leads back to it.
        function reach(id, neighbors) {
          const seen = new Set(), open = [id];
          while (open.length) {
            for (const next of neighbors.get(open.pop())) {
              if (!seen.has(next.id)) { seen.add(next.id); open.push(next.id); }
            }
          }
          return seen;
        }
        """#

    /// The panel at the side.
    ///
    /// Every text is set as text, never as HTML.
    private static let panel = #"""
        function make(tag, properties = {}, ...children) {
          const element = Object.assign(document.createElement(tag), properties);
          element.append(...children);
          return element;
        }
        function buttonItem(className, text, note, action) {
          const button = make("button", { type: "button", className }, text);
          if (note) button.append(make("small", {}, note));
          button.addEventListener("click", action);
          return make("li", {}, button);
        }
        function goTo(id, note) {
          const item = buttonItem(`go ${scopeClass(id)}`, keyOf(nodes.get(id)), note, () => jump(id));
          item.firstChild.dataset.go = id;
          return item;
        }
        function problemItem(problem) {
          return buttonItem(`go problem ${problem.severity}`, problem.text, "", () => {
            if (problem.nodes.length) jump(problem.nodes[0]);
          });
        }
        function moduleItem(module) {
          const facts = [`priority ${module.priority}`];
          if (module.isPushed) facts.push("pushed");
          if (module.offUnless != null) facts.push(`off unless ${module.offUnless}`);
          return buttonItem("go", module.name, facts.join(", "), () => {
            searchField.value = module.name;
            runSearch();
            const group = groups.find(group => group.name === module.name);
            if (group) fitGroup(group.frame);
          });
        }
        function rows(entries) {
          const list = make("dl");
          for (const [name, value] of entries) {
            if (value != null && value !== "") list.append(make("dt", {}, name), make("dd", {}, String(value)));
          }
          return list;
        }
        function listed(title, entries) {
          if (!entries.length) return [];
          const items = entries.map(entry => goTo(entry.id, entry.kind === "direct" ? "" : wordOf(entry.kind)));
          return [make("h2", {}, `${title} (${entries.length})`), make("ul", {}, ...items)];
        }
        const states = { made: "created", setAside: "set aside by a push", notMade: "not created" };
        function showDetails(id) {
          const details = find("details"), problems = find("problems"), modules = find("modules");
          modules.replaceChildren();
          if (id == null) {
            details.replaceChildren();
            showProblems(problems, "Problems", graph.problems);
            modules.append(make("h2", {}, `Modules (${graph.modules.length})`),
              make("ul", {}, ...graph.modules.map(moduleItem)));
            return;
          }
          const node = nodes.get(id);
          const marks = [node.isHidden && "hidden: another registration provides this key", node.isPrimary && "primary", node.isAsynchronous && "asynchronous",
            node.takesResolver && "takes the resolver, so it may need more"].filter(Boolean).join(", ");
          details.replaceChildren(
            make("h3", {}, keyOf(node)),
            rows([["kind", wordOf(node.kind)], ["scope", node.scope], ["payload", node.payload], ["module", node.module],
              ["type", node.qualifiedType], ["location", node.location], ["instance", states[node.state]],
              ["marks", marks]]),
            ...listed("Needs", needs.get(id)), ...listed("Needed by", needed.get(id)));
          showProblems(problems, "Its problems", graph.problems.filter(problem => problem.nodes.includes(id)));
        }
        function showProblems(section, title, problems) {
          section.replaceChildren();
          if (!problems.length) return;
          section.append(make("h2", {}, `${title} (${problems.length})`), make("ul", {}, ...problems.map(problemItem)));
        }
        """#

    /// The selection of a node, or of none.
    private static let selection = #"""
        let selected = null;
        function select(id, { isFar = false } = {}) {
          selected = id;
          const down = id == null ? new Set() : reach(id, needs), up = id == null ? new Set() : reach(id, needed);
          drawing.classList.toggle("selecting", id != null);
          for (const [number, element] of elements) {
            const isNeeded = down.has(number), isNeeding = up.has(number), isIt = number === id;
            element.classList.toggle("selected", isIt);
            element.classList.toggle("needs", isNeeded && !isNeeding && !isIt);
            element.classList.toggle("needed", isNeeding && !isNeeded && !isIt);
            element.classList.toggle("both", isNeeding && isNeeded && !isIt);
            element.setAttribute("aria-pressed", isIt);
          }
          const front = [];
          for (const { element, edge } of lines) {
            const below = edge.from === id || down.has(edge.from), above = edge.to === id || up.has(edge.to);
            element.classList.toggle("needs", id != null && below && !above);
            element.classList.toggle("needed", id != null && above && !below);
            element.classList.toggle("both", id != null && below && above);
            if (id != null && (below || above)) front.push(element);
          }
          find("lines").append(...front);
          showDetails(id);
          showNames();
          if (id == null) return;
          rove(id);
          find("panel").scrollTop = 0;
          if (isFar) center(id);
          say(`${keyOf(nodes.get(id))}: needs ${down.size}, needed by ${up.size}`);
        }

        // Goes from the list to a node. The pressed button is gone then, so the node gets the focus.
        function jump(id) {
          select(id, { isFar: true });
          elements.get(id).focus({ preventScroll: true });
        }

        // One node can be reached with Tab, and the others with the arrow keys.
        let roving = null;
        function rove(id) {
          if (roving != null) elements.get(roving).tabIndex = -1;
          roving = id;
          elements.get(id).tabIndex = 0;
        }
        if (graph.nodes.length) rove(graph.nodes[0].id);
        function neighbor(id, key) {
          const from = boxes.get(id);
          let best = null, least = Infinity;
          for (const [number, box] of boxes) {
            if (number === id) continue;
            const x = box.x - from.x, y = box.y - from.y;
            const [ahead, aside] = { ArrowRight: [x, y], ArrowLeft: [-x, y], ArrowDown: [y, x], ArrowUp: [-y, x] }[key];
            if (ahead < 4) continue;
            const linked = needs.get(id).some(need => need.id === number) || needed.get(id).some(n => n.id === number);
            const distance = ahead + Math.abs(aside) * 3 - (linked && Math.abs(x) > 4 ? 1e5 : 0);
            if (distance < least) { least = distance; best = number; }
          }
          return best;
        }
        """#

    /// The search: names first, then qualifiers and modules.
    private static let search = #"""
        let hits = [], hit = -1;
        function runSearch() {
          const words = searchField.value.trim().toLowerCase();
          const rank = node => {
            const name = node.name.toLowerCase().replace(/^any /, "");
            if (name === words) return 0;
            if (name.startsWith(words)) return 1;
            if (node.name.toLowerCase().includes(words)) return 2;
            if (keyOf(node).toLowerCase().includes(words)) return 3;
            return (node.module || "").toLowerCase().includes(words) ? 4 : 9;
          };
          hits = words === "" ? [] : graph.nodes.map(node => ({ node, rank: rank(node) }))
            .filter(entry => entry.rank < 9).sort((a, b) => a.rank - b.rank || a.node.id - b.node.id)
            .map(entry => entry.node.id);
          hit = -1;
          const found = new Set(hits);
          for (const [id, element] of elements) element.classList.toggle("hit", found.has(id));
          showNames();
          showHits();
        }
        function showHits() {
          const isOpen = hits.length > 0;
          hitList.hidden = !isOpen;
          searchField.setAttribute("aria-expanded", isOpen);
          const first = Math.max(0, Math.min(hit - 4, hits.length - 10));
          hitList.replaceChildren(...hits.slice(first, first + 10).map((id, index) => {
            const node = nodes.get(id), number = first + index;
            const item = make("li", { id: "hit" + number, role: "option" }, keyOf(node),
              make("small", {}, [node.scope, node.module].filter(Boolean).join(" · ")));
            item.setAttribute("aria-selected", number === hit);
            item.addEventListener("pointerdown", event => {
              event.preventDefault();
              hit = number;
              takeHit();
              hitList.hidden = true;
            });
            return item;
          }));
          if (hit >= 0) searchField.setAttribute("aria-activedescendant", "hit" + hit);
          else searchField.removeAttribute("aria-activedescendant");
          const isEmpty = searchField.value.trim() === "";
          find("count").textContent = isEmpty ? "" : hits.length === 0 ? "none"
            : hit < 0 ? `${hits.length} found` : `${hit + 1} of ${hits.length}`;
          if (!isEmpty && hit < 0) say(hits.length === 0 ? "nothing found" : `${hits.length} found`);
        }
        function takeHit() {
          select(hits[hit], { isFar: true });
          showHits();
        }
        function stepThroughHits(step) {
          if (!hits.length) return;
          hit = hit < 0 ? (step > 0 ? 0 : hits.length - 1) : (hit + step + hits.length) % hits.length;
          takeHit();
        }
        function clearAll() {
          searchField.value = "";
          runSearch();
          select(null);
          say("cleared");
        }
        searchField.addEventListener("input", runSearch);
        searchField.addEventListener("focus", () => { if (hits.length) showHits(); });
        searchField.addEventListener("blur", () => { hitList.hidden = true; });
        searchField.addEventListener("keydown", event => {
          if (event.key === "ArrowDown" || (event.key === "Enter" && !event.shiftKey)) stepThroughHits(1);
          else if (event.key === "ArrowUp" || event.key === "Enter") stepThroughHits(-1);
          else if (event.key === "Escape") { clearAll(); canvas.focus(); }
          else return;
          event.preventDefault();
          event.stopPropagation();
        });
        """#

    /// The position and scale of the drawing.
    private static let view = #"""
        const whole = { width: +drawing.dataset.width, height: +drawing.dataset.height };
        const boxes = new Map([...elements].map(([id, element]) => {
          const [x, y] = element.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
          const box = element.querySelector(".box");
          const width = +box.getAttribute("width"), height = +box.getAttribute("height");
          return [id, { x: x + width / 2, y: y + height / 2, width, height }];
        }));
        let position = { x: 0, y: 0, scale: 1 };
        function place(x, y, scale) {
          position = { x, y, scale: Math.min(4, Math.max(0.03, scale)) };
          find("view").setAttribute("transform", `translate(${position.x} ${position.y}) scale(${position.scale})`);
          drawing.classList.toggle("far", position.scale < 0.6);
          // Lines that keep their width when zooming are a number of pixels wide.
          drawing.style.setProperty("--pixel", `${1 / position.scale}px`);
          showNames();
        }
        """#

    /// The labels over the drawing if its own texts are too small.
    private static let names = #"""
        // When the boxes are too small for their texts, readable names are shown over them as far as there is room: of what is
        // selected, found, or highlighted, then of what has problems, then of what has most lines.
        // The names of modules are always shown, and stay in view as long as a part of the module is.
        const names = find("names"), moduleNames = find("module-names");
        const pen = document.createElement("canvas").getContext("2d");
        function widthOf(text, layer) {
          pen.font = getComputedStyle(layer).font;
          return pen.measureText(text).width + 10;
        }
        const markOf = element => ["error", "warning"].find(name => element.classList.contains(name)) || "";
        const ranked = graph.nodes.map(node => {
          const element = elements.get(node.id), name = node.name.replace(/^any /, ""), mark = markOf(element);
          const weight = { error: 1e6, warning: 1e5, "": 0 }[mark];
          const text = name.length > 28 ? name.slice(0, 27) + "…" : name;
          return { marks: element.classList, mark, box: boxes.get(node.id), text, width: widthOf(text, names),
            group: element.dataset.group, weight: weight + needs.get(node.id).length + needed.get(node.id).length };
        }).sort((a, b) => b.weight - a.weight);
        const groups = [...find("groups").children].map(element => {
          const frame = element.querySelector(".frame"), value = name => +frame.getAttribute(name);
          const name = element.querySelector(".group-name").textContent, count = element.dataset.count;
          return { name, count, mark: markOf(element), width: widthOf(`${name}  ${count}`, moduleNames),
            frame: { left: value("x"), top: value("y"), width: value("width"), height: value("height") } };
        });
        const between = (least, value, most) => Math.max(least, Math.min(value, most));
        function rank({ marks }) {
          if (marks.contains("selected")) return 0;
          if (marks.contains("hit")) return 1;
          return ["needs", "needed", "both"].some(name => marks.contains(name)) ? 2 : 3;
        }
        function showNames() {
          const room = { width: canvas.clientWidth, height: canvas.clientHeight }, height = 19, taken = [];
          // A text at the first height at which it does not cover another one, or none.
          function label(text, width, x, heights, mark) {
            const y = heights.map(y => between(height / 2, y, room.height - height / 2))
              .find(y => !taken.some(other => Math.abs(x - other.x) < (width + other.width) / 2
                && Math.abs(y - other.y) < height));
            if (y == null) return [];
            taken.push({ x, y, width });
            const label = document.createElementNS(drawing.namespaceURI, "text");
            label.setAttribute("x", x);
            label.setAttribute("y", y + 4);
            label.setAttribute("class", mark);
            label.textContent = text;
            return [label];
          }
          // The rectangle of a frame in the view.
          function shown({ left, top, width, height }) {
            return { left: position.x + left * position.scale, right: position.x + (left + width) * position.scale,
              top: position.y + top * position.scale, bottom: position.y + (top + height) * position.scale };
          }
          const frames = groups.map(group => shown(group.frame));
          // How many additional names of nodes a module has room for.
          const places = frames.map(({ left, right, top, bottom }) => (right - left) * (bottom - top) / 8000);
          function nodeLabel({ box, text, mark, width, group, rank = 3 }) {
            if (group != null && rank > 1 && !mark && (places[group] -= 1) < 0) return [];
            const middle = { x: position.x + box.x * position.scale, y: position.y + box.y * position.scale };
            if (middle.x < 0 || middle.x > room.width || middle.y < 0 || middle.y > room.height) return [];
            // A name with a problem is moved up or down. Any other name is left out if it covers another one.
            const heights = (mark ? [0, 1, -1, 2, -2] : [0]).map(step => middle.y + step * height);
            const { left, right } = frames[group] || { left: -Infinity, right: Infinity };
            const x = right - left < width ? middle.x : between(left + width / 2, middle.x, right - width / 2);
            return label(text, width, between(width / 2, x, room.width - width / 2), heights, mark);
          }
          function groupLabel({ name, count, mark, width }, index) {
            const { left, right, top, bottom } = frames[index];
            if (right < 0 || left > room.width || bottom < 0 || top > room.height) return [];
            const x = between(width / 2, Math.min(Math.max(left, 0) + width / 2 + 4, right - width / 2), room.width - width / 2);
            const y = Math.min(Math.max(top, 0) + height / 2 + 2, bottom - height / 2);
            const result = label(name, width, x, [y, y + height, y - height], mark);
            for (const label of result) {
              const number = document.createElementNS(drawing.namespaceURI, "tspan");
              number.textContent = ` ${count}`;
              label.append(number);
            }
            return result;
          }
          const isFar = drawing.classList.contains("far"), isMarked = selected != null || hits.length > 0;
          const entries = !isFar ? [] : isMarked
            ? ranked.map(entry => ({ ...entry, rank: rank(entry) })).sort((a, b) => a.rank - b.rank) : ranked;
          const labels = isFar && selected != null ? nodeLabel(entries[0]) : [];
          moduleNames.replaceChildren(...groups.flatMap(groupLabel));
          for (const entry of labels.length ? entries.slice(1) : entries) {
            if (labels.length === 60) break;
            labels.push(...nodeLabel(entry));
          }
          names.replaceChildren(...labels);
        }
        """#

    /// Moving and zooming, by the program and with the pointer.
    private static let moving = #"""
        function fit() {
          const scale = Math.min(1.2, canvas.clientWidth / whole.width, canvas.clientHeight / whole.height);
          place((canvas.clientWidth - whole.width * scale) / 2, (canvas.clientHeight - whole.height * scale) / 2, scale);
        }
        function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
          const scale = Math.min(4, Math.max(0.03, position.scale * factor)), change = scale / position.scale;
          place(x - (x - position.x) * change, y - (y - position.y) * change, scale);
        }
        function move(x, y) { place(position.x + x, position.y + y, position.scale); }

        // Scrolls a node into view if necessary.
        function show(id) {
          const box = boxes.get(id), margin = 40;
          const x = position.x + box.x * position.scale, y = position.y + box.y * position.scale;
          if (Math.abs(x - canvas.clientWidth / 2) > canvas.clientWidth / 2 - margin
            || Math.abs(y - canvas.clientHeight / 2) > canvas.clientHeight / 2 - margin) {
            placeMiddle(box.x, box.y, position.scale);
          }
        }
        // The rectangle around nodes.
        function frame(ids) {
          const around = ids.map(id => boxes.get(id));
          const left = Math.min(...around.map(box => box.x - box.width / 2));
          const right = Math.max(...around.map(box => box.x + box.width / 2));
          const top = Math.min(...around.map(box => box.y - box.height / 2));
          const bottom = Math.max(...around.map(box => box.y + box.height / 2)), margin = 60;
          const scale = Math.min((canvas.clientWidth - margin) / (right - left),
            (canvas.clientHeight - margin) / (bottom - top));
          return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
        }
        function placeMiddle(x, y, scale) {
          place(canvas.clientWidth / 2 - x * scale, canvas.clientHeight / 2 - y * scale, scale);
        }
        // Zooms to a node: with everything that is highlighted if there is room, else with its
        // neighbors, else alone in the middle.
        function center(id) {
          const most = Math.max(1, Math.min(position.scale, 1.2));
          const around = [...needs.get(id), ...needed.get(id)].map(neighbor => neighbor.id);
          const room = [frame([id, ...reach(id, needs), ...reach(id, needed)]), frame([id, ...around])]
            .find(room => room.scale >= 0.6);
          if (room) placeMiddle(room.x, room.y, Math.min(room.scale, most));
          else placeMiddle(boxes.get(id).x, boxes.get(id).y, most);
        }
        // Zooms to a module.
        function fitGroup({ left, top, width, height }) {
          const scale = Math.min(1.2, (canvas.clientWidth - 24) / width, (canvas.clientHeight - 24) / height);
          placeMiddle(left + width / 2, top + height / 2, scale);
        }
        // Zooms to everything that is highlighted.
        function fitHighlighted() {
          if (selected == null) { fit(); return; }
          const room = frame([selected, ...reach(selected, needs), ...reach(selected, needed)]);
          placeMiddle(room.x, room.y, Math.min(room.scale, 1.2));
        }
        find("in").addEventListener("click", () => zoom(1.25));
        find("out").addEventListener("click", () => zoom(0.8));
        find("fit").addEventListener("click", fit);
        canvas.addEventListener("wheel", event => {
          event.preventDefault();
          const area = canvas.getBoundingClientRect(), unit = event.deltaMode === 1 ? 16 : 1;
          zoom(Math.exp(-event.deltaY * unit * 0.0016), event.clientX - area.left, event.clientY - area.top);
        }, { passive: false });

        let drag = null;
        canvas.addEventListener("pointerdown", event => {
          if (event.button !== 0) return;
          drag = { x: event.clientX, y: event.clientY, isMoved: false, node: event.target.closest(".node") };
        });
        canvas.addEventListener("pointermove", event => {
          if (!drag) return;
          const x = event.clientX - drag.x, y = event.clientY - drag.y;
          if (!drag.isMoved && Math.hypot(x, y) < 4) return;
          if (!drag.isMoved) { canvas.setPointerCapture(event.pointerId); canvas.classList.add("dragging"); }
          drag = { ...drag, x: event.clientX, y: event.clientY, isMoved: true };
          move(x, y);
        });
        for (const name of ["pointerup", "pointercancel"]) {
          canvas.addEventListener(name, () => { canvas.classList.remove("dragging"); setTimeout(() => { drag = null; }); });
        }
        canvas.addEventListener("click", event => {
          if (drag && drag.isMoved) return;
          const element = event.target.closest(".node"), group = event.target.closest(".group");
          const isClear = selected == null && drawing.classList.contains("far");
          select(element ? +element.dataset.node : null);
          // From far away, a click goes into the module.
          if (!element && group && isClear) fitGroup(groups[+group.dataset.group].frame);
        });
        """#

    /// The keyboard, and the start of the page.
    private static let keys = #"""
        document.addEventListener("keydown", event => {
          if (event.ctrlKey || event.metaKey || event.altKey || event.target === searchField) return;
          const element = event.target.closest && event.target.closest(".node");
          const isArrow = event.key.startsWith("Arrow");
          if (isArrow && !canvas.contains(event.target) && event.target !== document.body) return;
          if (event.key === "/") { searchField.focus(); searchField.select(); }
          else if (event.key === "Escape") clearAll();
          else if (event.key === "+" || event.key === "=") zoom(1.25);
          else if (event.key === "-") zoom(0.8);
          else if (event.key === "0") fit();
          else if (event.key === "f") fitHighlighted();
          else if (element && (event.key === "Enter" || event.key === " ")) select(+element.dataset.node);
          else if (element && isArrow && !event.shiftKey) {
            const next = neighbor(+element.dataset.node, event.key);
            if (next != null) { rove(next); elements.get(next).focus({ preventScroll: true }); show(next); }
          }
          else if (isArrow) {
            const step = 60;
            move({ ArrowLeft: step, ArrowRight: -step }[event.key] || 0, { ArrowUp: step, ArrowDown: -step }[event.key] || 0);
          }
          else return;
          event.preventDefault();
        });
        // A page can be opened at a node: wiring.html#n12.
        function openAddress() {
          const id = /^#n(\d+)$/.exec(location.hash);
          if (id && nodes.has(+id[1])) select(+id[1], { isFar: true });
        }
        addEventListener("hashchange", openAddress);
        addEventListener("resize", () => { if (selected == null) fit(); });
        canvas.addEventListener("scroll", () => { canvas.scrollTo(0, 0); });
        fit();
        select(null);
        openAddress();
        """#
}
