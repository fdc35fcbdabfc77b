// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.Reading;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.StepTerm;
import java.util.List;

/// One way to run a model that does not chat.
///
/// @param request the request, with the batch of one replica
/// @param pool the devices
/// @param engine the program
/// @param degree devices that share each batch of a replica
/// @param replicas number of replicas
/// @param memory memory of each device; the KV cache is that of a decoder
/// @param latency seconds for a batch on an idle replica
/// @param rate texts, seconds of sound, images or videos per second of all replicas
/// @param parts the time of a batch, part by part
/// @param isMeasured true if the engine was measured on such devices; otherwise intervals are twice as wide
/// @param rental the cheapest machines that have these devices, on demand; unknown if no price is known
/// @since 0.3
public record TaskPlan(
        TaskRequest request,
        DevicePool pool,
        TaskEngine engine,
        int degree,
        int replicas,
        DeviceMemoryUse memory,
        Estimate latency,
        Estimate rate,
        List<StepTerm> parts,
        boolean isMeasured,
        Reading<Rental> rental) {
    /// Copies the list.
    public TaskPlan {
        parts = List.copyOf(parts);
    }

    /// Reports whether it fits and keeps the limit.
    public boolean isAccepted() {
        return memory.fits() && latency.p50() <= request.maxLatency();
    }

    /// Returns the reason why it does not meet the request; for plans that are not accepted.
    public Shortfall shortfall() {
        return memory.fits()
                ? Shortfall.of(Cause.TOO_SLOW, pool.count(), pool.name(), latency.p50(), request.maxLatency())
                : Shortfall.of(Cause.DOES_NOT_FIT, pool.count(), pool.name(), memory.total(), memory.capacity());
    }

    /// Returns the number of devices in use.
    public int devices() {
        return degree * replicas;
    }

    /// Returns the devices in use, of one host if it is counted several times.
    public List<PlannedDevice> members() {
        return pool.members().subList(0, Math.min(devices(), pool.members().size()));
    }
}
