package dev.muster.plan.rules;

import java.util.Locale;

/// What a model is trained on.
///
/// @since 0.1
public enum TrainingTarget {
    /// Graphics processors.
    GPU("Gpu"),
    /// Google's TPUs.
    TPU("Tpu"),
    /// Intel's Gaudi.
    GAUDI("Gaudi"),
    /// Processors.
    CPU("Cpu");

    private final String referenceName;

    TrainingTarget(String referenceName) {
        this.referenceName = referenceName;
    }

    /// The name on the command line and in documents, such as `gpu`.
    public String text() {
        return referenceName.toLowerCase(Locale.ROOT);
    }

    /// The name in documents of ai-hwaccel.
    public String referenceName() {
        return referenceName;
    }
}
