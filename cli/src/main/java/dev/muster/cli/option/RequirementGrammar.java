// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import dev.muster.core.AcceleratorRequirement;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.List;

/// Requirements on the command line: `gpu`, `any-accelerator`, `tpu` or `tpu:4` …
public final class RequirementGrammar {
    private static final String TPU = "tpu";
    private static final int MAX_DIGITS = 9;

    private RequirementGrammar() {}

    public static AcceleratorRequirement parse(String text) {
        for (AcceleratorRequirement simple : AcceleratorRequirement.named()) {
            if (simple.display().equals(text)) {
                return simple;
            }
        }
        if (text.equals(TPU)) {
            return AcceleratorRequirement.tpu(1);
        }
        int chips = text.startsWith(TPU + ":") ? Numbers.digits(text.substring(TPU.length() + 1), MAX_DIGITS) : -1;
        if (chips >= 0) {
            return AcceleratorRequirement.tpu(chips);
        }
        List<String> known = words();
        String hint = UsageException.hint(text, known, "");
        throw new UsageException("unknown requirement '" + Printable.of(text) + "'"
                + (hint.isEmpty() ? "; requirements are " + String.join(", ", known) + " and tpu:CHIPS" : hint));
    }

    /// The names of requirements, without numbers.
    public static List<String> words() {
        List<String> words = new ArrayList<>();
        for (AcceleratorRequirement simple : AcceleratorRequirement.named()) {
            words.add(simple.display());
        }
        words.add(TPU);
        return words;
    }
}
