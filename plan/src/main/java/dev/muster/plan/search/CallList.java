// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepCommunication.Call;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.time.StepLedger;
import java.util.ArrayList;
import java.util.List;

/// Records every collective of a step. Confined to one thread.
public final class CallList implements StepLedger {
    private final List<Drafted> calls = new ArrayList<>();

    /// Calls before they are rounded: a stage may hold a part of a layer on average.
    private record Drafted(
            Axis axis,
            Collective collective,
            double members,
            double bytes,
            double count,
            boolean isOverlapped,
            double seconds,
            double exposed) {
        Drafted times(double repeats, double slower) {
            return new Drafted(
                    axis,
                    collective,
                    members,
                    bytes,
                    count * repeats,
                    isOverlapped,
                    seconds * slower,
                    exposed * slower);
        }

        Call rounded() {
            return new Call(
                    axis,
                    collective,
                    (int) members,
                    Math.max(1, Math.round(bytes)),
                    Math.max(1, Math.round(count)),
                    isOverlapped,
                    seconds,
                    exposed);
        }
    }

    /// Ignores terms that are not collectives; other ledgers record them.
    @Override
    public void add(
            StepTerm.StepPart part,
            String what,
            double bytes,
            double bytesPerSecond,
            double operations,
            double operationsPerSecond,
            double fixed,
            double seconds) {}

    @Override
    public void communicate(
            Axis axis,
            Collective collective,
            double members,
            double bytes,
            double count,
            boolean isOverlapped,
            double seconds,
            double exposed) {
        if (members > 1 && bytes > 0 && count > 0) {
            calls.add(new Drafted(axis, collective, members, bytes, count, isOverlapped, seconds, exposed));
        }
    }

    @Override
    public void stretch(double factor) {
        calls.replaceAll(call -> call.times(1, factor));
    }

    @Override
    public void repeat(double times) {
        calls.replaceAll(call -> call.times(times, times));
    }

    public StepCommunication of(double stepSeconds) {
        return new StepCommunication(
                stepSeconds, calls.stream().map(Drafted::rounded).toList());
    }
}
