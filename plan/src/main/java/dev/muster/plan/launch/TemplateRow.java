// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.table.CsvRow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A row of a template. Immutable.
///
/// @param command the command or file it belongs to; blank if it concerns all
/// @param part kind of row
/// @param name name in the program
/// @param value value
/// @param when condition
/// @param why explanation beside it; several versions with `||` between, of which the first whose facts are known is
/// used
record TemplateRow(String command, Part part, TemplateText name, TemplateText value, Condition when, String why) {
    static TemplateRow of(CsvRow row) {
        TemplateRow read = new TemplateRow(
                row.orEmpty("command"),
                Part.require(row.require("part")),
                new TemplateText(row.orEmpty("name")),
                new TemplateText(row.orEmpty("value")),
                Condition.parse(row.orEmpty("when")),
                row.orEmpty("why"));
        // An unknown fact is a mistake of the table, which is reported on reading.
        read.name.checkFacts();
        read.value.checkFacts();
        new TemplateText(read.why).checkFacts();
        return read;
    }

    /// Reports whether the condition holds and all facts of name and value are known.
    boolean applies(LaunchFacts facts) {
        return when.holds(facts)
                && name.fill(facts).isPresent()
                && value.fill(facts).isPresent();
    }

    /// Returns the explanation, if its facts are known.
    Optional<String> reason(LaunchFacts facts) {
        for (String version : why.split("\\|\\|", -1)) {
            Optional<String> text = new TemplateText(version.strip()).fill(facts);
            if (text.isPresent() && !text.get().isEmpty()) {
                return text;
            }
        }
        return Optional.empty();
    }

    /// The kind of a template's row.
    enum Part {
        /// The target cannot run such a plan; the reason is in the last column.
        REFUSE,
        /// One server can run several replicas.
        TOGETHER,
        /// The container image.
        IMAGE,
        /// A comment at the top of the script.
        NOTE,
        /// A variable that users of the script have to set; the sentence appears if it is not.
        REQUIRE,
        /// A line of shell before everything.
        LINE,
        /// A variable of a command's environment.
        ENV,
        /// The program of a command; its name gives the hosts: `all`, `head`, `workers`, or `once` on any.
        RUN,
        /// A word of a command; a name says whose options follow.
        ARGUMENT,
        /// An option of a command, with or without a value.
        OPTION,
        /// A value in a file of settings; its name is the path, with slashes between.
        CONFIG,
        /// A line of a file, one for each host.
        LINES;

        static Part require(String label) {
            return Arrays.stream(values())
                    .filter(part -> part.name().toLowerCase(Locale.ROOT).equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("templates have no part '" + label + "'"));
        }
    }

    /// The condition of a template's row: `tensor>1;experts=0`, all of it. `a=x|y` is one of several, `a!=x` none of
    /// them, `a` that the fact is known and `!a` that it is not. A comparison with an unknown fact does not hold.
    /// Immutable.
    ///
    /// @param terms comparisons that must all hold
    record Condition(List<Term> terms) {
        private static final Pattern TERM = Pattern.compile("(!?)(\\w+)(?:(!=|=|>|<)([\\w.|-]+))?");

        Condition {
            terms = List.copyOf(terms);
        }

        /// One comparison.
        ///
        /// @param fact fact to compare
        /// @param sign `known`, `absent`, `=`, `!=`, `>` or `<`
        /// @param values values to compare with
        record Term(LaunchFact fact, String sign, List<String> values) {
            boolean holds(LaunchFacts facts) {
                Optional<String> value = facts.find(fact);
                if (sign.equals("absent")) {
                    return value.isEmpty();
                }
                return value.isPresent() && compares(value.get());
            }

            private boolean compares(String value) {
                return switch (sign) {
                    case "known" -> true;
                    case "=" -> values.contains(value);
                    case "!=" -> !values.contains(value);
                    case ">" -> new BigDecimal(value).compareTo(new BigDecimal(values.getFirst())) > 0;
                    case "<" -> new BigDecimal(value).compareTo(new BigDecimal(values.getFirst())) < 0;
                    default -> throw new IllegalStateException(sign);
                };
            }
        }

        /// Parses a condition; a blank one always holds.
        ///
        /// @throws IllegalArgumentException if it is none
        static Condition parse(String text) {
            List<Term> terms = new ArrayList<>();
            for (String piece : text.isBlank() ? List.<String>of() : List.of(text.split(";", -1))) {
                Matcher matcher = TERM.matcher(piece.strip());
                if (!matcher.matches() || (!matcher.group(1).isEmpty() && matcher.group(3) != null)) {
                    throw new IllegalArgumentException("'" + piece + "' is not a condition of a template");
                }
                String sign = matcher.group(3) != null
                        ? matcher.group(3)
                        : matcher.group(1).isEmpty() ? "known" : "absent";
                List<String> values = matcher.group(4) == null
                        ? List.of()
                        : List.of(matcher.group(4).split("\\|", -1));
                terms.add(new Term(TemplateText.require(matcher.group(2)), sign, values));
            }
            return new Condition(terms);
        }

        boolean holds(LaunchFacts facts) {
            return terms.stream().allMatch(term -> term.holds(facts));
        }
    }
}
