// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.cuda.GpuDevice;
import java.lang.foreign.MemorySegment;

/// Checks of a call on memory of a group's device, made before any other member is disturbed.
record DeviceChecks(GroupIdentity group, GpuDevice device) {
    /// @throws IllegalArgumentException if it cannot be done, with what can
    void requirePossible(GroupCall call) {
        if (call.operation().isReduction()) {
            NcclTypes.requireReducible(call.type(), call.reduceOp());
        }
        if (call.operation().equals(Operation.EXCHANGE)) {
            requireOwnMessagesMatch(call);
        } else {
            requireHere(call.input());
            requireHere(call.output());
        }
    }

    private void requireOwnMessagesMatch(GroupCall call) {
        long open = 0;
        long bytes = 0;
        for (int i = 0; i < call.transferCount(); i++) {
            Transfer transfer = call.transfer(i);
            requireHere(transfer.segment());
            if (transfer.peer() == group.rank()) {
                int sign = transfer.sends() ? 1 : -1;
                open += sign;
                bytes += sign * transfer.bytes();
            }
        }
        if (open != 0 || bytes != 0) {
            throw new IllegalArgumentException(
                    "a rank sends to itself on a device only where it receives as much in the same call;"
                            + " use sendReceive or exchange");
        }
    }

    private void requireHere(MemorySegment segment) {
        if (segment.byteSize() > 0 && !device.holds(segment)) {
            throw new IllegalArgumentException("group " + group.name() + " works on device " + device
                    + ", and a buffer of " + segment.byteSize() + " bytes does not lie there, or was closed");
        }
    }
}
