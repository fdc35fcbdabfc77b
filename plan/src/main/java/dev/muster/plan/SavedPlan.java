package dev.muster.plan;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.Optional;
import java.util.Set;

/// A plan that was saved as a document, with the figures that can be compared.
///
/// @param kind `serving-plan`, `split-plan` or `training-plan`
/// @param model the model's name
/// @param plan its figures
/// @since 0.1
public record SavedPlan(String kind, String model, JsonValue plan) {
    private static final Set<String> KINDS = Set.of("serving-plan", "split-plan", "training-plan");

    /// Reads a document.
    ///
    /// @throws DocumentException if it is no JSON
    /// @throws IllegalArgumentException if it is no plan, or says that nothing fits; the message says which
    public static SavedPlan parse(String text) {
        JsonValue document = JsonValue.parse(text);
        String kind = text(document, "kind")
                .filter(KINDS::contains)
                .orElseThrow(() -> new IllegalArgumentException("is no plan"));
        JsonValue plan = document.find("plan")
                .orElseThrow(() -> new IllegalArgumentException("holds no plan, because the model did not fit"));
        return new SavedPlan(kind, text(document, "model").orElse("a model"), plan);
    }

    private static Optional<String> text(JsonValue document, String name) {
        return document.find(name).map(value -> value instanceof JsonString(String text) ? text : "");
    }
}
