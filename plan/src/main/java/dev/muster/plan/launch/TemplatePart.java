package dev.muster.plan.launch;

import java.util.Arrays;
import java.util.Locale;

/// What a row of a template is.
enum TemplatePart {
    /// The target cannot run such a plan; the reason is in the last column.
    REFUSE,
    /// One server can run several replicas.
    TOGETHER,
    /// The container image.
    IMAGE,
    /// Something to know, as a comment at the top.
    NOTE,
    /// A variable that whoever starts the script has to set; the sentence is what they read otherwise.
    REQUIRE,
    /// A line of shell before everything.
    LINE,
    /// The program of a command; its name says on which machines: `all`, `head`, `workers`, or `once` on
    /// any.
    RUN,
    /// A word of a command; a name says whose options follow.
    ARGUMENT,
    /// An option of a command, with or without a value.
    OPTION,
    /// A value in a file of settings; its name is the way to it, with slashes between.
    CONFIG,
    /// A line of a file, one for each machine.
    LINES;

    static TemplatePart require(String label) {
        return Arrays.stream(values())
                .filter(part -> part.name().toLowerCase(Locale.ROOT).equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("templates have no part '" + label + "'"));
    }
}
