// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.core.Reading;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.StageLayers;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// One way to train a model.
///
/// @param request the request
/// @param cluster the devices
/// @param software the framework
/// @param run layout on devices, and batches
/// @param layers layers of the model
/// @param memory memory of the fullest device
/// @param peak peak of all of it, with bounds from measurements of such peaks
/// @param tokensPerSecond tokens per second of all devices
/// @param stepSeconds seconds of a step
/// @param utilization useful operations over what the devices could do with 16-bit numbers
/// @param time parts of the time
/// @param isMeasured true if the framework was measured on such devices; otherwise bounds are twice as wide
/// @param joulesPerToken energy of its devices for each token; waiting counts as idle
/// @param rental the cheapest machines on demand that have its devices
/// @since 0.1
public record TrainingPlan(
        TrainingRequest request,
        TrainingCluster cluster,
        TrainingFramework software,
        TrainingRun run,
        int layers,
        TrainingMemoryUse memory,
        Estimate peak,
        Estimate tokensPerSecond,
        Estimate stepSeconds,
        double utilization,
        TrainingTime time,
        boolean isMeasured,
        Reading<Estimate> joulesPerToken,
        Reading<Rental> rental) {
    /// Returns a copy with a speed that measured runs corrected.
    ///
    /// @param factor factor of the speed
    /// @param width factor of its interval, in logarithms
    public TrainingPlan withCorrectedSpeed(double factor, double width) {
        return new TrainingPlan(
                request,
                cluster,
                software,
                run,
                layers,
                memory,
                peak,
                tokensPerSecond.corrected(factor, width),
                stepSeconds.corrected(1 / factor, width),
                utilization * factor,
                time,
                isMeasured,
                joulesPerToken,
                rental);
    }

    /// Returns the number of devices in use.
    public int devices() {
        return (int) run.devices();
    }

    /// Reports whether it fits, but the interval of its peak exceeds the device.
    public boolean isTight() {
        return memory.fits() && peak.p90() > memory.capacity();
    }

    /// Returns the number of unused devices.
    public int idle() {
        return cluster.devices() - devices();
    }

    /// Returns the devices in use, of one host if it is counted several times.
    public List<PlannedDevice> members() {
        List<PlannedDevice> all = cluster.pool().members();
        return all.subList(0, Math.min(devices() / hosts(), all.size()));
    }

    /// Returns the number of hosts in use: as few as hold the devices of the plan with as many on each.
    public int hosts() {
        return cluster.hosts(devices());
    }

    /// Returns the layers of each stage.
    public StageLayers stageLayers() {
        return new StageLayers(layers, (int) run.pp());
    }

    /// Returns the first layer of a stage.
    ///
    /// @param stage stage, from 0; the number of stages for the end of the model
    public int firstLayer(int stage) {
        return stageLayers().first(stage);
    }

    /// Returns the mesh of its devices: the sizes of its axes, the outermost first.
    public SequencedMap<String, Integer> mesh() {
        SequencedMap<String, Integer> axes = new LinkedHashMap<>();
        axes.put("pp", (int) run.pp());
        axes.put("cp", (int) run.cp());
        axes.put("tp", (int) run.tp());
        if (run.order() == Order.STAGES_FIRST) {
            axes.putFirst("dp", (int) run.replicas());
        } else {
            axes.putFirst("dp", (int) run.replicas());
            axes.putFirst("pp", (int) run.pp());
        }
        return Collections.unmodifiableSequencedMap(axes);
    }
}
