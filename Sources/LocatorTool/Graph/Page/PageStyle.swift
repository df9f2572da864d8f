/// The style sheet of the page.
enum PageStyle {
    static let text = [colors, page, drawing, far, sides].joined(separator: "\n")

    /// All colors, defined for light and dark appearance.
    static let colors = #"""
        :root {
          --back: #f4f6f8; --panel: #ffffff; --frame: #fbfcfd; --box: #ffffff; --ink: #1c2128; --soft: #57606a; --edge: #d0d7de;
          --line: #848d97; --faint: #dde2e7;
          --needs: #0860c4; --needs-box: #e3efff; --needed: #b14600; --needed-box: #ffeede; --both: #7a3fc0;
          --error: #b3201f; --error-box: #fff0ee; --warning: #835800; --warning-box: #fff6dc; --focus: #0860c4;
          --hit: #ffd33d;
          --scope-0: #8c959f; --scope-1: #5b7299; --scope-2: #7c4dcc; --scope-3: #11808a; --scope-4: #a87400;
          --scope-5: #2c8a42; --scope-6: #bf3989; --scope-7: #7d7a12; --scope-8: #a0603c; --scope-9: #0e7fb0;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #0f1318; --panel: #171c23; --frame: #141920; --box: #1d232b; --ink: #e8ecf1; --soft: #a3adb8; --edge: #343c46;
            --line: #77818d; --faint: #2a313a;
            --needs: #6cb1ff; --needs-box: #13294a; --needed: #ffa15c; --needed-box: #3d2410; --both: #c69bff;
            --error: #ff8a80; --error-box: #3a1a1a; --warning: #e3b341; --warning-box: #33280f; --focus: #6cb1ff;
            --hit: #c79a00;
            --scope-0: #7d8794; --scope-1: #8ba4cf; --scope-2: #b794f6; --scope-3: #4fc1c9; --scope-4: #dcaa3c;
            --scope-5: #5fc776; --scope-6: #f088c0; --scope-7: #c2bf55; --scope-8: #d79a75; --scope-9: #5bbcec;
          }
        }
        """#

    private static let page = #"""
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body {
          display: flex; flex-direction: column; background: var(--back); color: var(--ink);
          font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
        }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
        header {
          display: flex; align-items: center; gap: 16px; padding: 10px 16px; background: var(--panel);
          border-bottom: 1px solid var(--edge); flex-wrap: wrap;
        }
        h1 { font-size: 16px; margin: 0; }
        h2 { font-size: 13px; margin: 0 0 6px; color: var(--soft); font-weight: 600; }
        #facts { margin: 0; color: var(--soft); flex: 1 1 auto; }
        #finder { position: relative; display: flex; align-items: center; flex: 0 1 420px; }
        #search {
          width: 100%; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line);
          border-radius: 7px; padding: 6px 84px 6px 10px;
        }
        #search::placeholder { color: var(--soft); opacity: 1; }
        #search::-webkit-search-cancel-button { display: none; }
        #finder > kbd { position: absolute; right: 9px; }
        #count { position: absolute; right: 36px; color: var(--soft); font-size: 12px; pointer-events: none; }
        kbd {
          font: 12px/1.3 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; padding: 1px 5px;
          border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: 4px; background: var(--panel);
          color: var(--soft); white-space: nowrap;
        }
        #hits {
          position: absolute; top: 100%; left: 0; right: 0; z-index: 3; margin: 4px 0 0; padding: 4px;
          list-style: none; background: var(--panel); border: 1px solid var(--edge); border-radius: 8px;
          box-shadow: 0 8px 24px rgb(0 0 0 / .22); max-height: 60vh; overflow-y: auto;
        }
        #hits li { padding: 4px 8px; border-radius: 5px; cursor: pointer; overflow-wrap: anywhere; }
        #hits li small { color: var(--soft); margin-left: 6px; }
        #hits li[aria-selected=true] { background: var(--needs-box); }
        button { font: inherit; color: inherit; }
        #tools { display: flex; }
        #tools button {
          min-width: 34px; padding: 5px 10px; background: var(--back); border: 1px solid var(--edge); cursor: pointer;
        }
        #tools button:first-child { border-radius: 7px 0 0 7px; }
        #tools button:last-child { border-radius: 0 7px 7px 0; }
        #tools button + button { border-left: 0; }
        #tools button:hover { background: var(--edge); }
        main { flex: 1; display: flex; min-height: 0; }
        #canvas { flex: 1; position: relative; min-width: 0; overflow: hidden; touch-action: none; cursor: grab; }
        #canvas:focus-visible { outline-offset: -3px; }
        #canvas.dragging { cursor: grabbing; }
        #drawing { display: block; user-select: none; }
        #panel {
          width: 380px; overflow-y: auto; background: var(--panel); border-left: 1px solid var(--edge);
          padding: 14px 16px; display: flex; flex-direction: column; gap: 18px;
        }
        @media (max-width: 760px) {
          main { flex-direction: column; }
          #panel { width: auto; max-height: 45%; border-left: 0; border-top: 1px solid var(--edge); }
        }
        """#

    /// Lines, modules, and nodes at normal size.
    static let drawing = #"""
        /* Lines. */
        .line { fill: none; stroke: var(--line); stroke-width: 1.3; marker-end: url(#tip-plain); }
        .line.collection { stroke-width: 2.8; }
        .line.optional { stroke-dasharray: 8 4; }
        .line.later { stroke-dasharray: 2 4; stroke-width: 1.7; stroke-linecap: round; }
        .line.property { stroke-width: .9; }
        .line.forwarding { stroke-dasharray: 9 3 2 3; }
        .line.fault { stroke: var(--error); stroke-width: 2; marker-end: url(#tip-fault); }
        .selecting .line { stroke: var(--faint); marker-end: url(#tip-faint); }
        .selecting .line.needs { stroke: var(--needs); stroke-width: 2; marker-end: url(#tip-needs); }
        .selecting .line.needed { stroke: var(--needed); stroke-width: 2; marker-end: url(#tip-needed); }
        .selecting .line.both { stroke: var(--both); stroke-width: 2; marker-end: url(#tip-both); }
        .tip.plain { fill: var(--line); } .tip.faint { fill: var(--faint); } .tip.fault { fill: var(--error); }
        .tip.needs { fill: var(--needs); } .tip.needed { fill: var(--needed); } .tip.both { fill: var(--both); }
        .line.across { stroke-opacity: .45; }
        .line.across.fault, .selecting .line.across:is(.needs, .needed, .both) { stroke-opacity: 1; }

        /* Modules. */
        .frame { fill: var(--frame); stroke: var(--edge); stroke-width: 1.5; }
        .group-name { font: 600 17px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--ink); }
        .bundle { display: none; fill: none; stroke: var(--line); marker-end: url(#tip-bundle); }

        /* Nodes. */
        .scope-0 { --scope: var(--scope-0); } .scope-1 { --scope: var(--scope-1); }
        .scope-2 { --scope: var(--scope-2); } .scope-3 { --scope: var(--scope-3); }
        .scope-4 { --scope: var(--scope-4); } .scope-5 { --scope: var(--scope-5); }
        .scope-6 { --scope: var(--scope-6); } .scope-7 { --scope: var(--scope-7); }
        .scope-8 { --scope: var(--scope-8); } .scope-9 { --scope: var(--scope-9); }
        .node { cursor: pointer; outline: none; }
        .box {
          fill: var(--box); fill: color-mix(in srgb, var(--scope) 9%, var(--box));
          stroke: var(--scope); stroke-width: 1.2;
        }
        .stripe { fill: var(--scope); }
        .name { font: 12.5px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--ink); }
        .caption { font: 11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--soft); }
        .property .box, .configuration .box { stroke-dasharray: none; stroke-width: 1; }
        .input .box { stroke-dasharray: 1 3; }
        .alias .box, .missing .box { stroke-dasharray: 5 3; }
        .decorator .box { stroke-width: 2.6; }
        .hidden .name { text-decoration: line-through; }
        .factory .name, .alias .name { font-style: italic; }
        .state.made { fill: var(--scope-5); }
        .state.aside { fill: none; stroke: var(--scope-5); stroke-width: 1.6; }
        .error .box { stroke: var(--error); stroke-width: 2.2; fill: var(--error-box); }
        .error .name, .error .caption { fill: var(--error); }
        .warning .box { stroke: var(--warning); stroke-width: 1.8; }
        .badge { fill: var(--warning); } .error .badge { fill: var(--error); }
        .badge-text { font: bold 11px system-ui, sans-serif; fill: var(--panel); text-anchor: middle; }
        .node:hover .box { stroke-width: 2.6; }
        .hit .box { stroke: var(--hit); stroke-width: 4; }
        .selecting .node { opacity: .3; }
        .selecting .node.hit { opacity: .75; }
        .selecting .node:is(.selected, .needs, .needed, .both) { opacity: 1; }
        .selecting .needs .box { stroke: var(--needs); fill: var(--needs-box); stroke-width: 2.2; }
        .selecting .needed .box { stroke: var(--needed); fill: var(--needed-box); stroke-width: 2.2; }
        .selecting .both .box { stroke: var(--both); stroke-width: 2.6; }
        .selecting .error .box { stroke: var(--error); }
        .selecting .selected .box { stroke: var(--ink); stroke-width: 3.2; }
        .selected .name { font-weight: bold; }
        .node:focus-visible .box { outline: 3px solid var(--focus); outline-offset: 3px; }
        """#

    /// The differences if texts are too small to be read.
    private static let far = #"""
        .far .line { stroke-width: 2.2; } .far .line.property { stroke-width: 1.4; }
        .far .frame { stroke-width: calc(1.5 * var(--pixel)); }
        .far .line.across { display: none; }
        .far .line.across.fault, .far.selecting .line.across:is(.needs, .needed, .both) { display: inline; }
        .far .bundle { display: inline; opacity: .5; stroke-width: calc(var(--width) * var(--pixel)); }
        .far.selecting .bundle { opacity: .15; }
        .width-1 { --width: 1; } .width-2 { --width: 1.8; } .width-3 { --width: 2.6; } .width-4 { --width: 3.6; }
        .width-5 { --width: 4.8; }
        .far .name, .far .caption, .far .state, .far .badge, .far .badge-text { display: none; }
        .far .box { fill: var(--scope); stroke-width: 3; }
        .far .error .box { fill: var(--error); }
        #names { pointer-events: none; text-anchor: middle; font-size: 12px; font-weight: 600; fill: var(--ink); }
        #names text { paint-order: stroke; stroke: var(--back); stroke-width: 4px; stroke-linejoin: round; }
        #names .error { fill: var(--error); } #names .warning { fill: var(--warning); }
        #module-names { pointer-events: none; text-anchor: middle; font-size: 14px; font-weight: 700; fill: var(--ink); }
        #module-names text { paint-order: stroke; stroke: var(--frame); stroke-width: 5px; stroke-linejoin: round; }
        #module-names .error { fill: var(--error); } #module-names .warning { fill: var(--warning); }
        #module-names tspan { font-size: 12px; font-weight: 400; fill: var(--soft); }
        #groups .group-name { display: none; }
        .far.selecting .needs .box { fill: var(--needs); } .far.selecting .needed .box { fill: var(--needed); }
        .far.selecting .both .box { fill: var(--both); } .far.selecting .selected .box { fill: var(--ink); }
        """#

    private static let sides = #"""
        /* Legend. */
        #legend {
          display: flex; flex-wrap: wrap; gap: 2px 28px; padding: 6px 16px; font-size: 12px; color: var(--soft);
          background: var(--panel); border-top: 1px solid var(--edge);
        }
        #legend ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 14px; }
        #legend li { display: flex; align-items: center; gap: 6px; }
        .swatch { width: 16px; height: 12px; border-radius: 3px; background: var(--scope); flex: none; }
        .swatch.selected { background: var(--ink); } .swatch.needs { background: var(--needs); }
        .swatch.needed { background: var(--needed); } .swatch.both { background: var(--both); }
        .swatch.error { background: var(--error); }

        /* Panel. */
        #panel section:empty { display: none; }
        #panel h3 { font: 600 15px/1.4 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; margin: 0 0 8px;
          overflow-wrap: anywhere; }
        #panel dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 12px; margin: 0 0 12px; }
        #panel dt { color: var(--soft); } #panel dd { margin: 0; overflow-wrap: anywhere; }
        #panel ul { list-style: none; margin: 0 0 12px; padding: 0; }
        #panel li { margin: 0 0 2px; }
        .go {
          display: block; width: 100%; text-align: left; padding: 4px 8px; cursor: pointer; overflow-wrap: anywhere;
          background: none; border: 0; border-radius: 6px; border-left: 4px solid var(--scope, var(--edge));
        }
        .go:hover { background: var(--back); }
        .go small { color: var(--soft); margin-left: 6px; }
        .problem {
          font: 12px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
          margin: 0 0 6px; color: var(--soft); border-left-color: var(--soft);
        }
        .problem.error { color: var(--error); background: var(--error-box); border-left-color: var(--error); }
        .problem.warning { color: var(--warning); background: var(--warning-box); border-left-color: var(--warning); }
        """#
}
