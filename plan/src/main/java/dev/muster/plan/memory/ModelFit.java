package dev.muster.plan.memory;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.ModelDimension;
import dev.muster.plan.ModelSummary;
import java.util.List;
import java.util.Optional;

/// Whether a model runs on the devices of a registry, at which level and with how much context: the level with most
/// bits whose weights leave room, on all devices of one kind together. Memory alone is asked for here.
///
/// @param level the level
/// @param devices the devices that share it equally
/// @param weights what the weights take at that level
/// @param room what the devices offer, without what engines and drivers keep
/// @param context tokens of one sequence that fit beside the weights; unknown where the architecture is not known
/// @param contextIsWhole whether that is all the model was made for
/// @since 0.1
public record ModelFit(
        QuantizationLevel level,
        List<AcceleratorProfile> devices,
        Bytes weights,
        Bytes room,
        Reading<Long> context,
        boolean contextIsWhole) {
    /// What an engine takes of a device's memory: the default of vLLM.
    public static final double USED_SHARE = 0.9;

    /// What driver, libraries and working memory take of each device.
    public static final Bytes RESERVE = Bytes.ofGib(1);

    /// Less context than this is of no use.
    public static final long LEAST_CONTEXT = 2048;

    /// Weights at 4 and 8 bits share scales: groups of 64 weights with a scale of 16 bits and, at 4 bits, a zero point.
    private static final double SCALE_BITS = 16.0 / 64;

    private static final double ZERO_POINT_BITS = 4.0 / 64;
    private static final long NO_LIMIT = 1L << 40;
    private static final int CACHE_BYTES = 2;
    private static final List<QuantizationLevel> LEVELS =
            List.of(QuantizationLevel.BFLOAT16, QuantizationLevel.INT8, QuantizationLevel.INT4);

    /// Copies the devices.
    public ModelFit {
        devices = List.copyOf(devices);
    }

    /// How a model runs on a registry's accelerators, or on its CPU where there are none; empty where it does not.
    public static Optional<ModelFit> find(ModelSummary model, AcceleratorRegistry registry) {
        Optional<Long> parameters = model.parameters().find();
        if (parameters.isEmpty()) {
            return Optional.empty();
        }
        List<DeviceRoom> rooms = DeviceRoom.listAll(registry);
        for (QuantizationLevel level : LEVELS) {
            for (DeviceRoom room : rooms) {
                Optional<ModelFit> fit = room.devices().stream().allMatch(device -> supports(device, level))
                        ? at(level, model, parameters.get(), room)
                        : Optional.empty();
                if (fit.isPresent()) {
                    return fit;
                }
            }
        }
        return Optional.empty();
    }

    private static boolean supports(AcceleratorProfile device, QuantizationLevel level) {
        List<QuantizationLevel> supported = device.accelerator().supportedQuantizations();
        return supported.contains(level)
                || (level == QuantizationLevel.BFLOAT16 && supported.contains(QuantizationLevel.FLOAT16));
    }

    private static Optional<ModelFit> at(
            QuantizationLevel level, ModelSummary model, long parameters, DeviceRoom room) {
        Bytes weights = weights(parameters, level);
        if (weights.compareTo(room.room()) > 0) {
            return Optional.empty();
        }
        long most = model.architecture().find(ModelDimension.CONTEXT).orElse(NO_LIMIT);
        Reading<Long> context = KvCache.of(model.architecture(), CACHE_BYTES)
                .map(cache -> cache.tokensIn(room.room().minus(weights), most));
        long tokens = context.find().orElse(most);
        if (tokens < Math.min(LEAST_CONTEXT, most)) {
            return Optional.empty();
        }
        return Optional.of(new ModelFit(
                level, room.devices(), weights, room.room(), context, context.isKnown() && tokens == most));
    }

    /// What the weights take at a level, with their scales.
    public static Bytes weights(long parameters, QuantizationLevel level) {
        double bits = switch (level) {
            case NONE, FLOAT16, BFLOAT16 -> level.bitsPerParameter();
            case INT8 -> level.bitsPerParameter() + SCALE_BITS;
            case INT4 -> level.bitsPerParameter() + SCALE_BITS + ZERO_POINT_BITS;
        };
        return Bytes.of((long) (parameters / (double) Byte.SIZE * bits));
    }
}
