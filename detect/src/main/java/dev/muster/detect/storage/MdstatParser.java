// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.storage;

import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads `/proc/mdstat`: for each array a line with its state, level and drives, a line with its size and how many
/// drives work, and a line for what goes on. Confined to one thread.
final class MdstatParser {
    private static final int MAX_ARRAYS = 1024;
    private static final long MAX_KIB = 1L << 50;
    private static final long MAX_DRIVES = 1 << 16;
    /// The kernel's name and the usual name of the work on an array.
    private static final String[][] WORK = {
        {"recovery", "recovering"},
        {"resync", "resyncing"},
        {"reshape", "reshaping"},
        {"check", "checking"},
        {"repair", "repairing"}
    };

    private final List<Raid> arrays = new ArrayList<>();
    /// The array whose lines are being read; blank before the first and behind the last.
    private String name = "";

    private boolean active;
    private boolean container;
    private String level = "";
    private long kib;
    private long drives;
    private long working;
    private String work = "";
    private String progress = "";

    private MdstatParser() {}

    /// The arrays, in the kernel's order. Containers of firmware RAID hold arrays that stand on their own, and are left
    /// out.
    static List<Raid> parse(String text) {
        MdstatParser parser = new MdstatParser();
        for (String line : text.split("\n")) {
            parser.line(line);
        }
        parser.finish();
        return parser.arrays;
    }

    private void line(String line) {
        if (line.isBlank()) {
            return;
        }
        if (line.charAt(0) != ' ') {
            finish();
            begin(line);
        } else if (!name.isEmpty()) {
            detail(words(line));
        }
    }

    private void begin(String line) {
        String[] words = words(line);
        boolean isArray = words.length > 2 && words[0].startsWith("md") && words[1].equals(":");
        if (!isArray || !(words[2].equals("active") || words[2].equals("inactive"))) {
            return;
        }
        name = words[0];
        active = words[2].equals("active");
        container = false;
        kib = 0;
        drives = 0;
        working = 0;
        work = "";
        progress = "";
        // Behind a note such as (read-only); a drive in its place has its number in brackets.
        int place = words.length > 3 && words[3].startsWith("(") ? 4 : 3;
        level = words.length > place && words[place].indexOf('[') < 0 ? words[place] : "";
    }

    private void detail(String[] words) {
        for (int i = 0; i < words.length; i++) {
            String word = words[i];
            if (i == 1 && word.equals("blocks")) {
                kib = Amount.count(words[0], MAX_KIB).orElse(0L);
            } else if (word.startsWith("external:") && word.indexOf('/') < 0) {
                container = true;
            } else if (word.startsWith("[") && word.endsWith("]")) {
                count(word.substring(1, word.length() - 1));
            } else {
                workOn(words, i);
            }
        }
    }

    /// Drives and working drives, such as `2/1`.
    private void count(String text) {
        int slash = text.indexOf('/');
        Optional<Long> all = slash < 0 ? Optional.empty() : Amount.count(text.substring(0, slash), MAX_DRIVES);
        Optional<Long> some = slash < 0 ? Optional.empty() : Amount.count(text.substring(slash + 1), MAX_DRIVES);
        if (all.isPresent() && some.isPresent()) {
            drives = all.get();
            working = some.get();
        }
    }

    /// Such as `recovery = 8.5%` or `resync=DELAYED`.
    private void workOn(String[] words, int i) {
        for (String[] known : WORK) {
            if (words[i].equals(known[0]) && i + 2 < words.length && words[i + 1].equals("=")) {
                percent(known[1], words[i + 2]);
            } else if (words[i].startsWith(known[0] + "=")) {
                work = known[1];
                progress = words[i].substring(known[0].length() + 1).toLowerCase(Locale.ROOT);
            }
        }
    }

    private void percent(String doing, String text) {
        if (text.endsWith("%") && Amount.percent(text).isPresent()) {
            work = doing;
            progress = text.substring(0, text.length() - 1) + " %";
        }
    }

    private void finish() {
        if (!name.isEmpty() && !container && arrays.size() < MAX_ARRAYS) {
            arrays.add(new Raid(name, active, level, kib, drives, working, work, progress));
        }
        name = "";
    }

    /// Not a regular expression: this runs at each start (docs/decisions/0004).
    private static String[] words(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ")) {
            if (!word.isBlank()) {
                words.add(word.strip());
            }
        }
        return words.toArray(new String[0]);
    }

    /// An array of drives as the kernel describes it.
    ///
    /// @param name its name, such as `md0`
    /// @param active true if it runs
    /// @param level its level, such as `raid1`; blank where it is not told
    /// @param kib size, in KiB; 0 if unknown
    /// @param drives number of drives it should have; 0 for levels that cannot lose one, and if unknown
    /// @param working number of these that work
    /// @param work work in progress, in one word such as `recovering`; blank if there is none
    /// @param progress its progress, such as `8.5 %` or `delayed`
    record Raid(
            String name,
            boolean active,
            String level,
            long kib,
            long drives,
            long working,
            String work,
            String progress) {
        /// Returns its state, the worst first: `active`, `inactive`, `degraded 3 of 4`, `degraded 1 of 2, recovering
        /// 8.5 %`, `checking 5.7 %`.
        String state() {
            if (!active) {
                return "inactive";
            }
            String lack = working < drives ? "degraded " + working + " of " + drives : "";
            String now = work.isEmpty() ? "" : work + " " + progress;
            if (lack.isEmpty() && now.isEmpty()) {
                return "active";
            }
            return lack + (lack.isEmpty() || now.isEmpty() ? "" : ", ") + now;
        }
    }
}
