// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.Relation.Proximity;
import java.util.List;

/// The links between devices as a matrix; behind it the place of each device, if it fits.
///
/// @param canvas canvas to draw on
/// @param glyphs with which characters
record TopologyPane(Canvas canvas, Glyphs glyphs) {
    private static final int GAP = 1;

    void draw(Area area, TopologyRows rows, int first) {
        if (rows.isEmpty()) {
            canvas.put(area.x(), area.y(), area.end(), "the topology is unknown", Tone.DIM);
            return;
        }
        int names = rows.names().stream().mapToInt(String::length).max().orElse(0) + 1;
        int cell = GAP
                + rows.words().stream()
                        .flatMap(List::stream)
                        .mapToInt(String::length)
                        .max()
                        .orElse(0);
        int columns = Math.clamp((area.width() - names) / cell, 0, rows.names().size());
        for (int i = 0; i < columns; i++) {
            canvas.putRight(
                    area.x() + names + (i + 1) * cell - 1,
                    area.y(),
                    number(rows.names().get(i)),
                    Tone.DIM);
        }
        for (int i = 0; i < area.height() - 1 && first + i < rows.names().size(); i++) {
            int y = area.y() + 1 + i;
            canvas.put(area.x(), y, area.end(), rows.names().get(first + i), Tone.STRONG);
            for (int j = 0; j < columns; j++) {
                String word = rows.words().get(first + i).get(j);
                canvas.putRight(area.x() + names + (j + 1) * cell - 1, y, word, tone(word));
            }
            int behind = area.x() + names + columns * cell + 1;
            if (columns == rows.names().size()
                    && behind + rows.places().get(first + i).length() <= area.end()) {
                canvas.put(behind, y, area.end(), rows.places().get(first + i), Tone.DIM);
            }
        }
    }

    private static Tone tone(String word) {
        boolean far = word.equals(Proximity.SYSTEM.word());
        return word.equals(Proximity.SELF.word())
                ? Tone.DIM
                : far ? Tone.WARN : isFabric(word) ? Tone.GOOD : Tone.PLAIN;
    }

    private static boolean isFabric(String word) {
        return Character.isDigit(word.charAt(word.length() - 1));
    }

    /// Returns the number of a device, which is what tells columns apart: `3` of `cuda:3`.
    private static String number(String name) {
        return name.substring(name.lastIndexOf(':') + 1);
    }
}
