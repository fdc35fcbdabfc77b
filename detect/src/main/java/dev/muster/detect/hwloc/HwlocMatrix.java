package dev.muster.detect.hwloc;

import java.util.List;

/// A square of figures between objects.
///
/// @param name what the figures are, such as `NVLinkBandwidth`
/// @param ends the objects by their global index, in the order of rows and columns
/// @param values the figures, row by row; as many as the ends have pairs
record HwlocMatrix(String name, List<Long> ends, List<Long> values) {
    HwlocMatrix {
        ends = List.copyOf(ends);
        values = List.copyOf(values);
        if (values.size() != ends.size() * ends.size()) {
            throw new IllegalArgumentException(
                    "a matrix of " + ends.size() + " objects does not have " + values.size() + " values");
        }
    }

    long value(int row, int column) {
        return values.get(row * ends.size() + column);
    }
}
