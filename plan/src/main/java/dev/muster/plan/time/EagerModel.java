// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.time.FineTune.Method;
import dev.muster.plan.time.FineTune.States;

/// The speed of PyTorch without a compiler, on one device: kernels one after the other, as fast as the host launches
/// them. Fitted on one H200.
public final class EagerModel {
    private static final String NAME = "pytorch";

    private final EagerShape shape;
    private final DeviceFigures device;
    private final Coefficients c;

    /// Creates a model on one device.
    ///
    /// @param coefficients the fitted numbers
    public EagerModel(EagerShape shape, DeviceFigures device, Coefficients coefficients) {
        this.shape = shape;
        this.device = device;
        this.c = coefficients;
    }

    /// Returns one decode step, replayed as a captured graph, in seconds.
    public double decode(double sequences, double context) {
        double head = shape.vocabulary() * shape.hidden();
        double elements = shape.linear() + head;
        double memory = 2 * elements / (device.bandwidth() * c.get(NAME + "/memory-share"));
        double rate = device.half() * c.get(NAME + "/graph-share");
        double arithmetic = 2 * elements * (sequences + c.get(NAME + "/half-rows")) / rate;
        double kv = sequences * context * 2 * shape.keys() * 2 / (device.bandwidth() * c.get(NAME + "/kv-share"));
        double walk = context * (c.get(NAME + "/walk") + c.get(NAME + "/walk-width") * shape.headSize());
        double attention = Math.cbrt(walk * walk * walk + kv * kv * kv);
        return Smooth.max(memory, arithmetic) + shape.layers() * (attention + c.get(NAME + "/graph-layer"));
    }

    /// Returns a whole forward pass over prompts, in seconds.
    public double prefill(double sequences, double tokens) {
        double rows = sequences * tokens;
        double products = 2 * rows * shape.linear() / (device.half() * c.get(NAME + "/prefill-share"));
        double pairs = sequences * tokens * tokens / 2;
        double attention = shape.layers() * 4 * pairs * shape.queries() / attentionRate("prefill-attention", tokens);
        double touched = 2 * (9.2 * shape.hidden() + 4.7 * (shape.queries() + 2 * shape.keys()) + 8.4 * shape.inner());
        double traffic = rows * shape.layers() * touched * c.get(NAME + "/prefill-traffic") / device.bandwidth();
        double launches = shape.layers() * c.get(NAME + "/forward-layer");
        return Math.pow(Math.pow(products + attention + traffic, 6) + Math.pow(launches, 6), 1.0 / 6);
    }

    private double attentionRate(String what, double tokens) {
        double rising = tokens / (tokens + c.get(NAME + "/half-length"));
        return device.half() * c.get(NAME + "/" + what) * Math.pow(shape.headSize() / 128, 0.7) * rising;
    }

    /// Returns one training step, in seconds.
    public double step(FineTune run) {
        return pass(run) + optimizer(run);
    }

    /// Returns the forward and backward pass of one batch, in seconds.
    public double pass(FineTune run) {
        Pass pass = parts(run);
        return Smooth.max(pass.device(), pass.launches);
    }

    /// Returns the parts of the time of a pass, in seconds.
    ///
    /// @param factor number of passes
    public TrainingTime time(FineTune run, double factor) {
        Pass pass = parts(run);
        double host = Smooth.max(pass.device(), pass.launches) - pass.device();
        return new TrainingTime(
                pass.products * factor,
                pass.attention * factor,
                0,
                pass.traffic() * factor,
                host * factor,
                0,
                0,
                0,
                0,
                0,
                0);
    }

    /// Records the terms of some passes.
    ///
    /// @param factor number of passes for each token
    public void explain(FineTune run, double factor, ExplainedTerms terms) {
        Pass pass = parts(run);
        terms.computes(
                StepTerm.StepPart.PRODUCTS,
                "matrices and head",
                pass.productOperations * factor,
                pass.products * factor);
        terms.computes(
                StepTerm.StepPart.ATTENTION, "attention", pass.attentionOperations * factor, pass.attention * factor);
        terms.moves(
                StepTerm.StepPart.TRAFFIC,
                "norms and activations",
                pass.touched * factor,
                pass.touchedSeconds() * factor);
        terms.moves(StepTerm.StepPart.TRAFFIC, "loss", pass.lossBytes * factor, pass.lossSeconds() * factor);
        terms.takes(
                StepTerm.StepPart.HOST,
                "launches",
                (Smooth.max(pass.device(), pass.launches) - pass.device()) * factor);
    }

    /// The parts of a pass.
    private record Pass(
            double productOperations,
            double products,
            double attentionOperations,
            double attention,
            double touched,
            double lossBytes,
            double bandwidth,
            double launches) {
        double touchedSeconds() {
            return touched / bandwidth;
        }

        double lossSeconds() {
            return lossBytes / bandwidth;
        }

        double traffic() {
            return touchedSeconds() + lossSeconds();
        }

        double device() {
            return products + attention + traffic();
        }
    }

    private Pass parts(FineTune run) {
        boolean adapters = run.method() != Method.FULL;
        boolean autocast = run.states() == States.AUTOCAST;
        double tokens = run.tokens();
        double forwards = run.isRecomputed() ? 2 : 1;
        double passes = forwards + (adapters ? 1 : 2);
        double rate = device.half()
                * c.get(NAME + "/train-share")
                * shape.hidden()
                / (shape.hidden() + c.get(NAME + "/train-width"));
        double head = shape.vocabulary() * shape.hidden();
        double productOperations = 2 * tokens * (shape.linear() * passes + head * (adapters ? 2 : 3));
        double pairs = run.batch() * run.sequence() * run.sequence() / 2;
        double attentionOperations = shape.layers() * 4 * pairs * shape.queries() * (forwards + 2.5);
        double touched = 2 * (59 * shape.hidden() + 39 * shape.inner() + 32 * (shape.queries() + 2 * shape.keys()));
        double more = (run.isRecomputed() ? c.get(NAME + "/recompute-traffic") : 1)
                * (adapters ? c.get(NAME + "/adapter-traffic") : 1)
                * (autocast ? c.get(NAME + "/autocast-traffic") : 1);
        double traffic = tokens * shape.layers() * touched * more * c.get(NAME + "/train-traffic");
        double loss = tokens * c.get(NAME + "/loss-bytes") * shape.vocabulary();
        double launches = shape.layers()
                * (c.get(NAME + "/train-layer") * forwards + c.get(NAME + "/train-layer-once"))
                * (adapters ? c.get(NAME + "/adapter-launches") : 1)
                * (autocast ? c.get(NAME + "/autocast-launches") : 1);
        return new Pass(
                productOperations,
                productOperations / rate,
                attentionOperations,
                attentionOperations / attentionRate("train-attention", run.sequence()),
                traffic,
                loss,
                device.bandwidth(),
                launches);
    }

    /// Returns the optimizer's step, in seconds.
    public double optimizer(FineTune run) {
        boolean adapters = run.method() != Method.FULL;
        boolean autocast = run.states() == States.AUTOCAST;
        double bytes = adapters
                ? 0
                : shape.parameters()
                        * (autocast
                                ? 2 * c.get(NAME + "/optimizer-bytes") + c.get(NAME + "/cast-bytes")
                                : c.get(NAME + "/optimizer-bytes"));
        return bytes / device.bandwidth();
    }
}
