// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.plan.answer.DeviceMemoryUse;
import dev.muster.plan.answer.Estimate;
import dev.muster.plan.answer.HostMemory;
import dev.muster.plan.answer.PlannedDevice;
import dev.muster.plan.cost.StepTime;
import java.util.List;
import java.util.Optional;

/// A model split by layers over unlike devices, and perhaps the host, under llama.cpp.
///
/// @param request what was asked
/// @param host memory of the host that may be used
/// @param placements what each device holds, in the order of the layers; the host first where it holds something
/// @param idle names of devices that hold nothing, because they would make it slower
/// @param hostExperts experts of the first so many layers are kept on the host; 0 where none are
/// @param timeToFirstToken seconds until the first token
/// @param timePerOutputToken seconds between tokens, with all sequences running
/// @param tokensPerSecond output tokens per second of all sequences
/// @param prefillTokensPerSecond tokens of a prompt that are read per second
/// @param step where the time between tokens goes
/// @param isMeasured whether llama.cpp was measured on all of the devices; where not, intervals are twice as wide
/// @param usesHost whether the host holds layers or experts; then intervals are twice as wide again, which is a guess
/// @since 0.1
public record MixedPlan(
        ServingRequest request,
        HostMemory host,
        List<Placement> placements,
        List<String> idle,
        int hostExperts,
        Estimate timeToFirstToken,
        Estimate timePerOutputToken,
        Estimate tokensPerSecond,
        Estimate prefillTokensPerSecond,
        StepTime step,
        boolean isMeasured,
        boolean usesHost) {
    /// Copies both lists.
    public MixedPlan {
        placements = List.copyOf(placements);
        idle = List.copyOf(idle);
    }

    /// What one device holds.
    ///
    /// @param member which device it is; empty for the host
    /// @param device its name for people
    /// @param isHost whether it is the host
    /// @param firstLayer its first layer, from 0
    /// @param layers how many layers it holds
    /// @param hasHead whether it turns the last layer into tokens
    /// @param expertsElsewhere layers among them whose routed experts are kept on the host
    /// @param memory what all of it takes
    public record Placement(
            Optional<PlannedDevice> member,
            String device,
            boolean isHost,
            int firstLayer,
            int layers,
            boolean hasHead,
            int expertsElsewhere,
            DeviceMemoryUse memory) {}

    /// The devices that hold something, in the order of the layers.
    public List<PlannedDevice> members() {
        return placements.stream()
                .flatMap(placement -> placement.member().stream())
                .toList();
    }

    /// How many devices hold something, without the host.
    public int devices() {
        return (int)
                placements.stream().filter(placement -> !placement.isHost()).count();
    }

    /// Layers that devices hold, as llama.cpp counts them: the head is one of them.
    public int deviceLayers() {
        return placements.stream()
                .filter(placement -> !placement.isHost())
                .mapToInt(placement -> placement.layers() + (placement.hasHead() ? 1 : 0))
                .sum();
    }
}
