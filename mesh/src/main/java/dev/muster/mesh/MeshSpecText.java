// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Meshes as people write them: sizes such as `tp=2,pp=2,dp=2`, orders such as `tp-pp-dp`.
final class MeshSpecText {
    /// Longer texts describe no mesh.
    private static final int MOST_CHARACTERS = 2048;
    /// Ten digits hold every size, and their number fits.
    private static final int MOST_DIGITS = 10;

    private MeshSpecText() {}

    static String print(List<MeshDimension> dimensions) {
        return dimensions.stream().map(MeshDimension::toString).collect(Collectors.joining(","));
    }

    static List<MeshDimension> parse(String text) {
        if (text.isBlank() || text.length() > MOST_CHARACTERS) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_TEXT, "a mesh is written as sizes with commas between, such as tp=2,pp=2,dp=2");
        }
        List<MeshDimension> dimensions = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            dimensions.add(dimension(item.strip()));
        }
        return dimensions;
    }

    private static MeshDimension dimension(String item) {
        int equals = item.indexOf('=');
        if (equals < 0) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_TEXT, "'" + item + "' is not a dimension; write a name and a size, such as tp=2");
        }
        String name = item.substring(0, equals).strip();
        String size = item.substring(equals + 1).strip();
        boolean digits =
                !size.isEmpty() && size.length() <= MOST_DIGITS && size.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_SIZE,
                    "the size of dimension " + name + " is a number from 1 to " + MeshSpec.MOST_RANKS + ", not '" + size
                            + "'");
        }
        return MeshDimension.of(name, Long.parseLong(size));
    }

    static MeshSpec ordered(List<MeshDimension> sizes, String order) {
        Map<String, MeshDimension> left = new LinkedHashMap<>();
        for (MeshDimension dimension : sizes) {
            left.put(dimension.name(), dimension);
        }
        List<MeshDimension> ordered = new ArrayList<>();
        for (String name : order.split("-", -1)) {
            String word = name.strip();
            if (ordered.stream().anyMatch(dimension -> dimension.name().equals(word))) {
                throw new MeshPlanException(MeshPlanError.BAD_ORDER, "order " + order + " names " + word + " twice");
            }
            MeshDimension known = left.remove(word);
            ordered.add(known == null ? new MeshDimension(word, 1) : known);
        }
        for (MeshDimension dimension : left.values()) {
            if (dimension.size() > 1) {
                throw new MeshPlanException(
                        MeshPlanError.BAD_ORDER,
                        "order " + order + " leaves out " + dimension.name() + ", whose size is " + dimension.size()
                                + "; name it where its ranks belong");
            }
            ordered.add(dimension);
        }
        return MeshSpec.of(ordered);
    }
}
