// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.StepTerm;

/// The time in which a step keeps the memory and the arithmetic units of a device busy, at the rates that an engine
/// reaches. Confined to one thread.
public final class BusyTime implements StepLedger {
    private double memory;
    private double arithmetic;

    private BusyTime() {}

    /// Returns an empty ledger.
    public static BusyTime create() {
        return new BusyTime();
    }

    @Override
    public void add(
            StepTerm.StepPart part,
            String what,
            double bytes,
            double bytesPerSecond,
            double operations,
            double operationsPerSecond,
            double fixed,
            double seconds) {
        // Links and launches draw little power.
        if (part != StepTerm.StepPart.LINKS && bytesPerSecond > 0) {
            memory += bytes / bytesPerSecond;
        }
        if (operationsPerSecond > 0) {
            arithmetic += operations / operationsPerSecond;
        }
    }

    /// Returns the seconds that count for power: those of the units, or a share of those of the memory.
    ///
    /// @param memoryWeight power of busy memory, as a share of that of busy units
    public double weighted(double memoryWeight) {
        return Math.max(arithmetic, memoryWeight * memory);
    }
}
