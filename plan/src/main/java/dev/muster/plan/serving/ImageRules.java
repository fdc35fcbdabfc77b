// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The rule by which a family of models turns an image into tokens: a row of `images.csv`.
///
/// @param row the row
record ImageRules(CsvRow row) {
    /// Of two grids of tiles with the same shape, the larger is taken if the image fills more than this share of it.
    private static final double FILLED = 0.5;

    /// The rows, read on first use.
    private static final class Table {
        static final List<CsvRow> ROWS = CsvTable.parse(CsvTable.resource(ImageRules.class, "images.csv"))
                .rows();
    }

    /// Tiles of an image, in columns and rows.
    private record Grid(int columns, int rows) {
        int tiles() {
            return columns * rows;
        }
    }

    /// Returns the rule of the longest name that a model or family begins with.
    static Optional<ImageRules> find(String name) {
        return Table.ROWS.stream()
                .filter(row -> name.startsWith(row.require("model")))
                .max(Comparator.comparingInt(row -> row.require("model").length()))
                .filter(row -> !row.require("rule").equals("none"))
                .map(ImageRules::new);
    }

    /// Returns the tokens of one image.
    long tokens(int width, int height) {
        long extra = figure("extra");
        return switch (row.require("rule")) {
            case "fixed" -> figure("most") + extra;
            case "scaled" -> scaled(width, height) + extra;
            case "rows" -> rows(width, height);
            case "tiles" -> tiles(width, height) * (tileTokens() + extra);
            default -> throw new IllegalStateException("unknown rule " + row.require("rule"));
        };
    }

    /// Returns the patches that the encoder reads of one image.
    long patches(int width, int height) {
        long merged = Math.max(1, figure("merge")) * Math.max(1, figure("merge"));
        return switch (row.require("rule")) {
            case "tiles" -> tiles(width, height) * tileTokens() * merged;
            case "fixed" -> figure("most") * merged;
            default -> tokens(width, height) * merged;
        };
    }

    /// Returns the parameters of the encoder.
    long encoder() {
        return figure("tower_m") * 1_000_000;
    }

    /// Qwen: sides are rounded to whole tokens, and shrunk until there are no more than allowed.
    private long scaled(int width, int height) {
        double side = figure("patch") * (double) figure("merge");
        double shrunk = Math.min(1, Math.sqrt(figure("most") * side * side / ((double) width * height)));
        long across = shrunk < 1 ? (long) (width * shrunk / side) : Math.round(width / side);
        long down = shrunk < 1 ? (long) (height * shrunk / side) : Math.round(height / side);
        return Math.max(1, across) * Math.max(1, down);
    }

    /// Pixtral: the longer side is limited, and a token ends each row.
    private long rows(int width, int height) {
        double side = figure("patch") * (double) figure("merge");
        double shrunk = Math.min(1, figure("side") / (double) Math.max(width, height));
        long across = (long) Math.ceil(Math.floor(width * shrunk) / side);
        long down = (long) Math.ceil(Math.floor(height * shrunk) / side);
        return (across + 1) * down;
    }

    private long tileTokens() {
        long side = figure("side") / figure("patch") / figure("merge");
        return side * side;
    }

    /// The tiles of an image, and a small picture of all if there are several.
    private long tiles(int width, int height) {
        Grid grid = row.require("model").startsWith("llama") ? canvas(width, height) : likeness(width, height);
        return grid.tiles() + (grid.tiles() > 1 ? 1L : 0L);
    }

    /// Llama 4: the smallest canvas that the image need not be shrunk for, or else the one that shrinks it least.
    private Grid canvas(int width, int height) {
        double side = figure("side");
        Comparator<Grid> best = Comparator.comparingDouble((Grid grid) -> {
            double scale = Math.min(grid.columns * side / width, grid.rows * side / height);
            return scale >= 1 ? scale : 1e6 / scale;
        });
        return grids().stream().min(best.thenComparingInt(Grid::tiles)).orElseThrow();
    }

    /// InternVL: the canvas whose shape is most like the image's.
    private Grid likeness(int width, int height) {
        double shape = (double) width / height;
        double area = (double) width * height;
        Grid best = new Grid(1, 1);
        for (Grid grid : grids()) {
            double off = Math.abs(shape - (double) grid.columns / grid.rows);
            double known = Math.abs(shape - (double) best.columns / best.rows);
            double full = (double) figure("side") * figure("side") * grid.tiles();
            if (off < known || (off == known && area > FILLED * full)) {
                best = grid;
            }
        }
        return best;
    }

    private List<Grid> grids() {
        int most = (int) figure("most");
        return IntStream.rangeClosed(1, most)
                .boxed()
                .flatMap(columns -> IntStream.rangeClosed(1, most / columns).mapToObj(rows -> new Grid(columns, rows)))
                .sorted(Comparator.comparingInt(Grid::tiles))
                .toList();
    }

    private long figure(String column) {
        String text = row.orEmpty(column);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
