// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.ModelComponent;
import dev.muster.model.ModelComponent.PassFigure;
import dev.muster.model.ModelComponent.Role;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskRequest;
import java.util.ArrayList;
import java.util.List;

/// The time of a batch through the parts of a model that does not chat: products and attention at a share of the
/// device's peak, activations at its bandwidth, weights once a pass, a launch for each layer; collectives if devices
/// share the tokens (Ulysses, ring attention).
///
/// @param request the request
/// @param engine the program
/// @param device the device
/// @param layout the devices that share a batch
/// @param c the coefficients
public record TaskModel(
        TaskRequest request, TaskEngine engine, DeviceFigures device, TokenLayout layout, Coefficients c) {
    private static final String NAME = "task/";
    private static final double HALF_BYTES = 2;
    /// Tokens of a prompt to a text encoder whose pipeline does not say how many.
    private static final long PROMPT = 256;
    /// Queries, keys, values and the result, exchanged by Ulysses.
    private static final double EXCHANGED = 4;

    /// The devices that share the tokens of a batch.
    ///
    /// @param heads devices that share heads (Ulysses)
    /// @param ring devices in a ring that keys and values travel
    public record TokenLayout(int heads, int ring) {
        /// One device.
        public static final TokenLayout ALONE = new TokenLayout(1, 1);

        /// Returns the number of devices.
        public int devices() {
            return heads * ring;
        }

        /// Returns the layout of a number of devices with as many of them as possible sharing heads.
        public static TokenLayout of(int devices, long heads) {
            int shared = devices;
            while (shared > 1 && heads % shared != 0) {
                shared /= 2;
            }
            return new TokenLayout(shared, devices / shared);
        }
    }

    /// A part at work.
    ///
    /// @param part the part
    /// @param passes passes one after the other
    /// @param copies copies of each text or image in a pass, as for guidance
    /// @param tokens tokens of each
    /// @param beside tokens beside those
    private record Work(ModelComponent part, double passes, double copies, double tokens, double beside) {}

    /// Returns the class of the errors of such predictions.
    public static MeasuredClass measured(TaskRequest request) {
        return switch (request.kind()) {
            case TEXT_GENERATION, EMBEDDING, RERANKER, TEXT_ENCODER, ENCODER_DECODER, VISION_ENCODER ->
                MeasuredClass.ENCODER_TIME;
            case SPEECH_RECOGNITION, TEXT_TO_SPEECH -> MeasuredClass.SPEECH_TIME;
            case IMAGE_GENERATION, VIDEO_GENERATION -> MeasuredClass.DIFFUSION_TIME;
        };
    }

    /// Returns the texts, recordings or images of a batch, or the seconds of sound, that its time is counted by.
    public static double units(TaskRequest request, int batch) {
        return measured(request) == MeasuredClass.SPEECH_TIME ? batch * request.seconds() : batch;
    }

    /// Returns the time of each part, in the order in which they work.
    public List<StepTerm> terms(int batch) {
        List<StepTerm> terms = new ArrayList<>();
        List<ModelComponent> parts = request.parts();
        double read = 0;
        for (ModelComponent part : parts) {
            Work work = work(part, parts);
            terms.add(part.role() == Role.DECODER ? decode(work, batch, read) : pass(work, batch));
            read = part.role() == Role.ENCODER ? work.passes * work.tokens : read;
        }
        return terms;
    }

    /// Returns the passes that a part makes, times the copies of each text or image in a pass.
    ///
    /// @param name name of the part
    public double passes(String name) {
        List<ModelComponent> parts = request.parts();
        return parts.stream()
                .filter(part -> part.name().equals(name))
                .map(part -> work(part, parts))
                .mapToDouble(work -> work.passes * work.copies)
                .findFirst()
                .orElse(1);
    }

    /// Returns the seconds of a batch.
    public double seconds(int batch) {
        return terms(batch).stream().mapToDouble(StepTerm::seconds).sum();
    }

    /// Returns the tokens whose keys and values a decoder keeps: those that it reads of a pass, and those that it
    /// wrote.
    public double kept() {
        List<ModelComponent> parts = request.parts();
        return parts.stream()
                .filter(part -> part.role() == Role.ENCODER || part.role() == Role.DECODER)
                .mapToDouble(part -> part.role() == Role.DECODER ? written(part) : work(part, parts).tokens)
                .sum();
    }

    private Work work(ModelComponent part, List<ModelComponent> parts) {
        long patch = part.figure(PassFigure.PATCH);
        double square = patch == 0
                ? 0
                : Math.floor((double) request.width() / patch) * Math.floor((double) request.height() / patch);
        long stride = part.figure(PassFigure.STRIDE);
        double frames = stride == 0 ? 1 : 1 + Math.floor((request.frames() - 1.0) / stride);
        double extra = part.figure(PassFigure.EXTRA);
        return switch (part.role()) {
            case TEXT_ENCODER -> new Work(part, 1, passes(parts), extra > 0 ? extra : PROMPT, 0);
            case DENOISER -> {
                double others = parts.stream()
                        .filter(one -> one.role() == Role.DENOISER)
                        .count();
                yield new Work(part, request.steps() / others, passes(parts), square * frames, extra);
            }
            case RENDERER -> new Work(part, 1, 1, square * frames, 0);
            case VISION -> new Work(part, 1, 1, square, extra);
            case DECODER -> new Work(part, written(part), 1, 1, 0);
            case ENCODER, AUDIO -> {
                double rate = part.figure(PassFigure.RATE);
                double window = part.figure(PassFigure.WINDOW);
                double windows = window > 0 ? Math.ceil(request.seconds() / window) : 1;
                double sound = rate * (window > 0 ? window : request.seconds());
                double text = extra > 0 ? extra : request.input();
                yield new Work(part, windows, 1, rate > 0 ? sound : text, 0);
            }
        };
    }

    private static double passes(List<ModelComponent> parts) {
        return parts.stream()
                .mapToLong(part -> part.figure(PassFigure.PASSES))
                .filter(passes -> passes > 0)
                .findFirst()
                .orElse(1);
    }

    private double written(ModelComponent decoder) {
        long rate = decoder.figure(PassFigure.RATE);
        return rate > 0 ? Math.max(1, rate * request.seconds()) : request.output();
    }

    private StepTerm pass(Work work, int batch) {
        ModelComponent part = work.part;
        boolean isShared = part.role() == Role.DENOISER;
        double devices = isShared ? layout.devices() : 1;
        double rows = batch * work.copies * (work.tokens + work.beside) / devices;
        double beside = part.figure(PassFigure.ONCE) > 0 ? part.figure(PassFigure.ONCE) : part.figure(PassFigure.TOKEN);
        double products = 2
                * batch
                * work.copies
                * (part.figure(PassFigure.TOKEN) * work.tokens + beside * work.beside)
                / devices;
        double attended = rows * (work.tokens + work.beside) * (part.figure(PassFigure.CAUSAL) > 0 ? 0.5 : 1);
        double pairs = 2 * part.figure(PassFigure.PAIR) * attended;
        boolean isConvolution = part.role() == Role.RENDERER || (part.figure(PassFigure.HEADS) == 0 && isShared);
        double compute = products / rate(isConvolution ? "convolution-share" : "compute-share")
                + pairs / rate("attention-share");
        long layers = Math.max(1, part.figure(PassFigure.LAYERS));
        double moved = isConvolution ? 0 : rows * part.figure(PassFigure.WIDTH) * layers * HALF_BYTES * c("traffic");
        double bytes = bytes(part) + moved;
        double busy = compute + moved / device.bandwidth();
        double host = layers * c("launch");
        double seconds = Smooth.max(Smooth.max(busy, bytes(part) / bandwidth()), host)
                + (isShared ? exchange(work, rows, layers) : 0);
        return term(work, bytes, products + pairs, compute, host, seconds);
    }

    /// Returns the seconds of the collectives of a pass.
    private double exchange(Work work, double rows, long layers) {
        if (layout.devices() == 1) {
            return 0;
        }
        double share = (layout.devices() - 1.0) / layout.devices();
        double link = device.link() > 0 ? device.link() : device.bandwidth();
        double bytes = rows * work.part.figure(PassFigure.WIDTH) * layers * HALF_BYTES * EXCHANGED * share;
        double calls = (layout.heads() > 1 ? Math.log(layout.heads()) / Math.log(2) * c("exchange") : 0)
                + (layout.ring() - 1) * c("ring");
        return bytes / (link * c("link-share")) + layers * calls;
    }

    /// Returns the term of a decoder, which reads its weights and its cache for each token.
    private StepTerm decode(Work work, int batch, double read) {
        ModelComponent part = work.part;
        double cache = part.figure(PassFigure.CACHE) * HALF_BYTES * batch * (work.passes / 2 + read);
        double products = 2.0 * batch * part.figure(PassFigure.TOKEN);
        double bytes = bytes(part) + cache;
        double compute = products / rate("compute-share");
        double host = Math.max(1, part.figure(PassFigure.LAYERS)) * c("decode-launch");
        double step = Smooth.max(Smooth.max(compute, bytes / bandwidth()), host);
        double before = 2.0 * batch * read * part.figure(PassFigure.ONCE) / rate("compute-share");
        return term(work, bytes, products, compute, host, step + before / work.passes);
    }

    private StepTerm term(Work work, double bytes, double operations, double compute, double host, double seconds) {
        double rate = compute > 0 ? operations / compute : 0;
        return new StepTerm(
                        work.part.role() == Role.DECODER ? StepTerm.StepPart.HEAD : StepTerm.StepPart.PRODUCTS,
                        work.part.name(),
                        bytes,
                        bandwidth(),
                        operations,
                        rate,
                        host,
                        seconds)
                .times(work.passes);
    }

    /// Returns the bytes of a part's weights. Pipelines quantize what removes noise, and nothing else.
    public double bytes(ModelComponent part) {
        boolean isQuantized = switch (part.role()) {
            case ENCODER, DECODER, DENOISER -> true;
            case TEXT_ENCODER, VISION, AUDIO, RENDERER -> false;
        };
        int bits = request.format().weightBits();
        return part.parameters() * (isQuantized ? bits : Math.max(bits, Short.SIZE)) / (double) Byte.SIZE;
    }

    private double bandwidth() {
        return device.bandwidth() * c("memory-share");
    }

    /// Operations per second: narrow formats of weights alone multiply in 16 bits.
    private double rate(String share) {
        boolean isNarrow = request.format().weightBits() == Byte.SIZE && device.eight() > device.half();
        return (isNarrow ? device.half() * Math.sqrt(device.eight() / device.half()) : device.half()) * c(share);
    }

    private double c(String name) {
        return c.get(NAME + name)
                * c.factor(NAME + name + "/" + engine.label())
                * c.factor(NAME + name + "/" + engine.label() + "/" + device.id());
    }

    /// Reports whether the engine was measured on the device.
    public boolean isMeasured() {
        return c.has(NAME + "compute-share/" + engine.label() + "/" + device.id());
    }
}
