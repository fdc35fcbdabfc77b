// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.model.ModelKind;
import dev.muster.model.catalogue.ModelEntry;
import java.util.List;
import java.util.Locale;

/// A use of models, as `models --use` names it.
enum ModelUse {
    CHAT,
    CODE,
    VISION,
    EMBED,
    SPEECH,
    IMAGE;

    /// Parts of the names of models that were trained to write programs.
    private static final List<String> CODERS = List.of("code", "codestral", "devstral", "coder", "mellum", "deepswe");

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ModelUse parse(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }

    boolean isOf(ModelEntry entry) {
        ModelKind kind = entry.kind();
        return switch (this) {
            case CHAT -> kind == ModelKind.TEXT_GENERATION;
            case CODE -> kind == ModelKind.TEXT_GENERATION && CODERS.stream().anyMatch(entry.id()::contains);
            case VISION -> kind == ModelKind.TEXT_GENERATION && entry.inputs().contains("image");
            case EMBED -> kind == ModelKind.EMBEDDING || kind == ModelKind.RERANKER;
            case SPEECH -> kind == ModelKind.SPEECH_RECOGNITION || kind == ModelKind.TEXT_TO_SPEECH;
            case IMAGE -> kind == ModelKind.IMAGE_GENERATION || kind == ModelKind.VIDEO_GENERATION;
        };
    }
}
