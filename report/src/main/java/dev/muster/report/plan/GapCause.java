// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.text.FixedText;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A likely cause of a gap between a running engine and its prediction.
///
/// @param name name in documents
/// @param sentence the cause, what shows it, and a remedy
public record GapCause(String name, String sentence) {
    private static final double FULL = 90;
    private static final double SOME = 0.5;
    private static final double ONE = 1.5;
    /// The share of time in which some task waited for a processor, beyond which others take its place.
    private static final double CROWDED = 25;
    /// Batches up to this size wait for launches more than for memory or arithmetic.
    private static final double FEW = 16;

    /// Returns the causes that metrics and devices show, the most certain first.
    ///
    /// @param devices devices of the engine; none if it runs elsewhere
    /// @param pressure percent of time in which tasks of this host waited for a processor; 0 if it is not known
    /// @param isSlow true if tokens take longer than predicted
    public static List<GapCause> of(
            MeasuredRun run, List<AcceleratorProfile> devices, double pressure, boolean isSlow) {
        List<GapCause> causes = new ArrayList<>();
        double running = number(run, Fact.RUNNING);
        double waiting = number(run, Fact.WAITING);
        double kv = number(run, Fact.KV_USE);
        double evicted = number(run, Fact.PREEMPTIONS);
        if (evicted > 0 || (kv > FULL && waiting > SOME)) {
            causes.add(new GapCause(
                    "kv-cache-full",
                    "the KV cache is full (" + FixedText.of(kv, 0) + " % held, " + FixedText.of(evicted, 0)
                            + " requests lost their place); shorter contexts, a KV cache of 8 bits, or more memory"
                            + " help"));
        } else if (waiting > SOME) {
            String slots = run.find(Fact.SLOTS)
                    .map(most -> "at most " + most + " run at once")
                    .orElse("only " + FixedText.of(running, 1) + " run at once");
            causes.add(new GapCause(
                    running < ONE ? "batch-of-one" : "small-batch",
                    FixedText.of(waiting, 1) + " requests wait although the KV cache has room: " + slots
                            + "; raise --parallel (llama.cpp), --max-num-seqs (vLLM) or"
                            + " --max-running-requests (SGLang)"));
        }
        for (AcceleratorProfile device : devices) {
            ofDevice(device).ifPresent(causes::add);
        }
        if (pressure > CROWDED) {
            causes.add(new GapCause(
                    "processor-busy",
                    "tasks waited for a processor in " + FixedText.of(pressure, 0)
                            + " % of the time: the engine launches and samples on it; stop other programs, or give the"
                            + " engine more cores"));
        }
        if (run.find(Fact.GRAPHS).isPresent()) {
            causes.add(new GapCause(
                    "eager-mode",
                    "the engine launches each kernel by itself (eager mode); start it without --disable-cuda-graph or "
                            + "--enforce-eager"));
        }
        if (run.find(Fact.PREFIX_CACHE).isPresent()) {
            causes.add(new GapCause(
                    "prefix-cache-off",
                    "prefixes of prompts are not cached; where prompts begin alike, start the engine with a prefix"
                            + " cache"));
        }
        boolean hasTokens = run.find(Metric.TPOT, MeasuredRun.Statistic.MEAN).isPresent();
        if (causes.isEmpty() && isSlow && running <= FEW && hasTokens) {
            causes.add(new GapCause(
                    "launches-or-sampling",
                    "nothing in the metrics explains it; with few requests, launches and sampling on the processor are "
                            + "the usual cause: eager mode, a slow or shared processor, sampling over a large"
                            + " vocabulary"));
        }
        return causes;
    }

    private static Optional<GapCause> ofDevice(AcceleratorProfile device) {
        String throttling = device.reading(DeviceFact.THROTTLING).find().orElse("");
        if (!throttling.isEmpty() && !throttling.toLowerCase(Locale.ROOT).contains("idle")) {
            return Optional.of(new GapCause(
                    "throttled", device.id() + " runs below its clock: " + throttling + "; see 'muster doctor'"));
        }
        long lanes = device.reading(DeviceFact.PCIE_WIDTH).find().orElse(0L);
        long most = device.reading(DeviceFact.PCIE_WIDTH_MAX).find().orElse(0L);
        return lanes > 0 && lanes < most
                ? Optional.of(new GapCause(
                        "pcie-width",
                        device.id() + " has " + lanes + " of its " + most
                                + " PCIe lanes; with tensor parallelism or offloading that is the limit"))
                : Optional.empty();
    }

    static double number(MeasuredRun run, Fact fact) {
        return run.findNumber(fact).orElse(0);
    }
}
