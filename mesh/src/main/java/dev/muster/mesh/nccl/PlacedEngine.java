// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.cuda.GpuDevice;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Two engines of one group: what lies on a device goes one way, what lies in the host's memory the
/// other. All members of a call must have their buffers in the same place; a member that gives or gets
/// nothing passes an empty slice of one that lies there.
///
/// @param refusal reason for which no engine for devices exists, if so
public record PlacedEngine(
        String name, Engine host, @Nullable Engine device, String reason, String refusal) implements Engine {
    /// An engine that closes both.
    ///
    /// @param name name of the group's engine for people
    /// @param reason reason for which the group has it
    public static PlacedEngine of(String name, Engine host, Engine device, String reason) {
        return new PlacedEngine(name, host, device, reason, "");
    }

    /// An engine of a backend that was asked for and has nothing for memory of devices.
    public static PlacedEngine hostOnly(GroupIdentity group, String backend, Engine host) {
        String refusal = "group " + group.name() + " goes by " + backend
                + ", which was requested and supports host memory only; choose the backend auto or nccl for memory"
                + " of devices";
        return new PlacedEngine(host.name(), host, null, host.reason(), refusal);
    }

    @Override
    public void requirePossible(GroupCall call) {
        boolean onDevice = isOnDevice(call);
        if (onDevice && isOnHost(call)) {
            throw new IllegalArgumentException(
                    "some buffers of the call lie on a device and some in the host's memory; copy them to one place");
        }
        engine(onDevice).requirePossible(call);
    }

    @Override
    public void execute(GroupCall call) {
        engine(isOnDevice(call)).execute(call);
    }

    private Engine engine(boolean onDevice) {
        if (!onDevice) {
            return host;
        }
        if (device == null) {
            throw new IllegalArgumentException(refusal);
        }
        return device;
    }

    private static boolean isOnDevice(GroupCall call) {
        if (!call.operation().equals(Operation.EXCHANGE)) {
            return GpuDevice.isOnDevice(call.input()) || GpuDevice.isOnDevice(call.output());
        }
        for (int i = 0; i < call.transferCount(); i++) {
            if (GpuDevice.isOnDevice(call.transfer(i).segment())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOnHost(GroupCall call) {
        if (!call.operation().equals(Operation.EXCHANGE)) {
            return isOnHost(call.input()) || isOnHost(call.output());
        }
        for (int i = 0; i < call.transferCount(); i++) {
            if (isOnHost(call.transfer(i).segment())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOnHost(MemorySegment segment) {
        return segment.byteSize() > 0 && !GpuDevice.isOnDevice(segment);
    }

    @Override
    public void abort(GroupException reason) {
        host.abort(reason);
        if (device != null) {
            device.abort(reason);
        }
    }

    @Override
    public void close() {
        if (device != null) {
            device.close();
        }
        host.close();
    }
}
