// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.TextTable.Cell;
import dev.muster.report.text.TextTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static final Column ID = new Column("ID", false, 0, false);
    private static final Column NAME = new Column("NAME", false, 0, true);
    private static final Column SIZE = new Column("SIZE", true, 1, false);
    private static final Column NOTE = new Column("NOTE", false, 2, false);

    @Test
    void alignsTextLeftAndNumbersRight() {
        assertThat(table(80, List.of(ID, SIZE, NOTE), "a", "1", "x", "bbb", "1234567", "yy")
                        .render(true))
                .isEqualTo("""
                        ID      SIZE  NOTE
                        a          1  x
                        bbb  1234567  yy
                        """);
    }

    @Test
    void canDoWithoutTitles() {
        assertThat(table(80, List.of(ID, SIZE), "a", "1", "b", "22").render(false))
                .isEqualTo("""
                        a   1
                        b  22
                        """);
    }

    @Test
    void aTableWithoutRowsIsItsTitles() {
        assertThat(table(80, List.of(ID, SIZE)).render(true)).isEqualTo("ID  SIZE\n");
        assertThat(table(80, List.of(ID, SIZE)).render(false)).isEmpty();
    }

    @Test
    void theLeastImportantColumnIsDroppedFirst() {
        String[] cells = {"cuda:0", "80.0 GiB", "a note of some length"};

        assertThat(table(40, List.of(ID, SIZE, NOTE), cells).render(false))
                .isEqualTo("cuda:0  80.0 GiB  a note of some length\n");
        assertThat(table(38, List.of(ID, SIZE, NOTE), cells).render(false)).isEqualTo("cuda:0  80.0 GiB\n");
        assertThat(table(15, List.of(ID, SIZE, NOTE), cells).render(false)).isEqualTo("cuda:0\n");
    }

    @Test
    void columnsKeepTheirPlacesHoweverImportant() {
        assertThat(table(80, List.of(NOTE, SIZE, ID), "note", "1", "id").render(true))
                .isEqualTo("""
                        NOTE  SIZE  ID
                        note     1  id
                        """);
    }

    @Test
    void aColumnThatMayBeCutIsCutBeforeOthersAreDropped() {
        String[] cells = {"cuda:0", "NVIDIA RTX PRO 6000 Blackwell Server Edition", "95.6 GiB"};

        assertThat(table(60, List.of(ID, NAME, SIZE), cells).render(false))
                .isEqualTo("cuda:0  NVIDIA RTX PRO 6000 Blackwell Server Edit…  95.6 GiB\n");
        assertThat(table(38, List.of(ID, NAME, SIZE), cells).render(false))
                .isEqualTo("cuda:0  NVIDIA RTX PRO 6000…  95.6 GiB\n");
    }

    @Test
    void theSignForACutIsAsciiWhereItMustBe() {
        TextTable table = new TextTable(new Terminal(true, false, true, 30), List.of(ID, NAME));
        table.add(cells("cuda:0", "NVIDIA RTX PRO 6000 Blackwell Server Edition"));

        assertThat(table.render(false)).isEqualTo("cuda:0  NVIDIA RTX PRO 6000...\n");
    }

    @Test
    void wideCharactersTakeTwoColumnsAndCombiningMarksNone() {
        assertThat(table(80, List.of(ID, SIZE), "昇腾", "1", "Mu\u0308", "22", "abcd", "333")
                        .render(false))
                .isEqualTo("昇腾    1\nMu\u0308     22\nabcd  333\n");
    }

    @Test
    void wideCharactersAreNotCutInHalf() {
        assertThat(table(30, List.of(ID, NAME), "cuda:0", "华为昇腾九一零乙处理器加速卡").render(false))
                .isEqualTo("cuda:0  华为昇腾九一零乙处理…\n");
    }

    @Test
    void coloursDoNotCountAsWidth() {
        TextTable table = new TextTable(new Terminal(true, true, false, 20), List.of(ID, SIZE, NOTE));
        table.add(List.of(new Cell("a", false), new Cell("–", true), new Cell("end", false)));

        assertThat(table.render(true)).isEqualTo("\u001b[1mID  SIZE  NOTE\u001b[0m\na      \u001b[2m–\u001b[0m  end\n");
    }

    @Test
    void columnsThatMustBeShownAreCutWhereEvenTheyDoNotFit() {
        String id = "cuda:1/MIG-c7384736-a75d-5afc-978f-d2f1294409fd";

        assertThat(table(40, List.of(ID, NAME, SIZE), id, "NVIDIA A100-SXM4-40GB MIG 3g.20gb", "19.5 GiB")
                        .render(true)
                        .lines())
                .allSatisfy(line -> assertThat(DisplayWidth.of(line)).isLessThanOrEqualTo(40));
    }

    @Test
    void noTableIsWiderThanTheTerminal() {
        long seed = Long.getLong("tests.seed", System.nanoTime());
        System.out.println("noTableIsWiderThanTheTerminal: -Dtests.seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            int width = 20 + random.nextInt(180);
            TextTable table = randomTable(random, width);

            assertThat(table.render(random.nextBoolean()).lines())
                    .as("table %d of seed %d, width %d: %s", i, seed, width, table)
                    .allSatisfy(line -> assertThat(DisplayWidth.of(line)).isLessThanOrEqualTo(width));
        }
    }

    private static TextTable randomTable(Random random, int width) {
        List<Column> columns = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            columns.add(new Column(
                    randomText(random, 12), random.nextBoolean(), random.nextInt(5), random.nextInt(3) == 0));
        }
        TextTable table = new TextTable(new Terminal(true, false, random.nextBoolean(), width), columns);
        for (int rows = random.nextInt(5); rows > 0; rows--) {
            table.add(columns.stream()
                    .map(_ -> new Cell(randomText(random, 60), false))
                    .toList());
        }
        return table;
    }

    private static String randomText(Random random, int longest) {
        String letters = "abc XYZ 0123 -:/昇腾é\u0308😀";
        int[] points = letters.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(longest); length > 0; length--) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }

    /// Returns a table with rows as long as the list of columns.
    private static TextTable table(int width, List<Column> columns, String... texts) {
        TextTable table = new TextTable(new Terminal(true, false, false, width), columns);
        List<Cell> all = cells(texts);
        for (int at = 0; at < all.size(); at += columns.size()) {
            table.add(all.subList(at, at + columns.size()));
        }
        return table;
    }

    private static List<Cell> cells(String... texts) {
        return List.of(texts).stream().map(text -> new Cell(text, false)).toList();
    }
}
