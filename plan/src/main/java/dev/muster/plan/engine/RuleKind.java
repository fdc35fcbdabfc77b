// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.engine;

import java.util.Locale;

/// The kind of an engine's rule.
enum RuleKind {
    /// TP divides the query heads.
    HEADS,
    /// TP divides the KV heads, or they divide it.
    KV_HEADS,
    /// TP divides the KV heads.
    KV_HEADS_WHOLE,
    /// TP divides the inner widths of blocks and experts.
    WIDTH,
    /// TP divides the vocabulary, filled up to a multiple.
    VOCABULARY,
    /// Each device's part of an inner width has whole blocks, in formats that scale blocks.
    BLOCK,
    /// Each device's part of an inner width has whole groups, in formats that scale groups of inputs.
    GROUP,
    /// EP divides the experts.
    EXPERTS,
    /// Models whose attention may be data parallel.
    ATTENTION_DP,
    /// Attention is not data parallel together with pipeline stages: the ranks would lie on other devices than planned.
    ATTENTION_DP_STAGES,
    /// CP cuts sequences into as many pieces of one length for each device.
    SEQUENCE,
    /// TP divides each device's part of a sequence.
    SEQUENCE_TP,
    /// Compute capabilities that it runs on.
    DEVICE,
    /// Compute capabilities that weights of some formats run on.
    WEIGHTS,
    /// Compute capabilities with a KV cache of 8 bits.
    KV_CACHE,
    /// Models whose KV cache has 8 bits in any case.
    NARROW_CACHE,
    /// Models that do not run in 16 bits of the IEEE kind.
    NOT_FP16,
    /// Formats that it does not read.
    UNREAD,
    /// Formats that are made of 16-bit weights while a model loads.
    MADE,
    /// Formats that are made while a model loads, of 16-bit weights that all lie on the devices first.
    LOADS_FIRST,
    /// Models that are known from a release on.
    MODEL,
    /// Options that others require in a launch; this and the two below are kept by templates and their tests.
    WITH,
    /// Options that exclude others in a launch.
    WITHOUT,
    /// Defaults of options.
    DEFAULT,
    /// Unsupported precisions of matrix products.
    NO_PRECISION;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

    String text() {
        return text;
    }

    /// Reports whether a layout can break it; the others concern models, formats and devices.
    boolean isOfLayout() {
        return compareTo(DEVICE) < 0;
    }
}
