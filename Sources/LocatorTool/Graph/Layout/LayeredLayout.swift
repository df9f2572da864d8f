/// Arranges a diagram in columns, so that lines lead from left to right wherever possible.
///
/// The steps are those of any layered drawing: lines that close a cycle are reversed, boxes are assigned to columns,
/// long lines are divided where they pass a column, the columns are sorted to reduce crossings, and heights are chosen
/// so that lines are straight. Parts that are not connected are arranged separately and then placed side by side. The
/// result is deterministic.
package enum LayeredLayout {
    package static func arrange(_ diagram: Diagram) -> Arrangement {
        var packing = Packing(diagram)
        for part in DiagramPart.connected(in: diagram) {
            packing.add(part, part.boxes.count > 1 ? arrangeConnected(part.diagram) : nil)
        }
        return packing.arrangement()
    }

    private static func arrangeConnected(_ diagram: Diagram) -> Arrangement {
        let turned = CycleBreaking.linesToTurn(in: diagram)
        let columns = ColumnChoice(diagram, turned: turned).columns()
        var layers = Layers(diagram, turned: turned, columns: columns)
        CrossingReduction.sort(&layers)
        let heights = Straightening(layers: layers).heights()
        return layers.arrangement(of: diagram, heights: heights)
    }
}
