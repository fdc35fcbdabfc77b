package dev.muster.cli.picture;

import java.util.Locale;

/// What memory of a device is taken for.
enum MemoryKind {
    WEIGHTS("weights"),
    CACHE("KV cache"),
    GRADIENTS("gradients"),
    OPTIMIZER("optimizer states"),
    ACTIVATIONS("activations"),
    WORKSPACE("workspace");

    private final String display;

    MemoryKind(String display) {
        this.display = display;
    }

    String display() {
        return display;
    }

    /// Its class in the style sheet.
    String style() {
        return "memory-" + name().toLowerCase(Locale.ROOT);
    }
}
