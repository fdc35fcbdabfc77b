package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorRequirement;
import java.util.ArrayList;
import java.util.List;

/// Requirements on the command line: `gpu`, `any-accelerator`, `tpu` or `tpu:4` …
final class RequirementGrammar {
    private static final String TPU = "tpu";
    private static final int MAX_DIGITS = 9;

    private RequirementGrammar() {}

    static AcceleratorRequirement parse(String text) {
        for (AcceleratorRequirement.Simple simple : AcceleratorRequirement.Simple.values()) {
            if (simple.display().equals(text)) {
                return simple;
            }
        }
        if (text.equals(TPU)) {
            return new AcceleratorRequirement.Tpu(1);
        }
        if (text.startsWith(TPU + ":") && isNumber(text.substring(TPU.length() + 1))) {
            return new AcceleratorRequirement.Tpu(Long.parseLong(text.substring(TPU.length() + 1)));
        }
        List<String> known = words();
        String hint = NearestMatch.hint(text, known, "");
        throw new UsageException("there is no requirement '" + Printable.of(text) + "'"
                + (hint.isEmpty() ? "; there are " + String.join(", ", known) + " and tpu:CHIPS" : hint));
    }

    /// What can be required, without numbers.
    static List<String> words() {
        List<String> words = new ArrayList<>();
        for (AcceleratorRequirement.Simple simple : AcceleratorRequirement.Simple.values()) {
            words.add(simple.display());
        }
        words.add(TPU);
        return words;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
