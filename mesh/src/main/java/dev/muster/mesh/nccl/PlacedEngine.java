package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.cuda.GpuDevice;
import java.lang.foreign.MemorySegment;

/// Two engines of one group: what lies on a device goes one way, what lies in the host's memory the
/// other. All members of a call must have their buffers in the same place; a member that gives or gets
/// nothing passes an empty slice of one that lies there.
public final class PlacedEngine implements Engine {
    private final String name;
    private final Engine host;
    private final Engine device;
    private final String reason;

    /// An engine that closes both.
    ///
    /// @param name what people know the group's engine by
    /// @param reason why the group has it
    public PlacedEngine(String name, Engine host, Engine device, String reason) {
        this.name = name;
        this.host = host;
        this.device = device;
        this.reason = reason;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void requirePossible(Call call) {
        boolean onDevice = isOnDevice(call);
        if (onDevice && isOnHost(call)) {
            throw new IllegalArgumentException(
                    "some buffers of the call lie on a device and some in the host's memory; copy them to one place");
        }
        (onDevice ? device : host).requirePossible(call);
    }

    @Override
    public void execute(Call call) {
        (isOnDevice(call) ? device : host).execute(call);
    }

    private static boolean isOnDevice(Call call) {
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

    private static boolean isOnHost(Call call) {
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
        device.abort(reason);
    }

    @Override
    public void close() {
        device.close();
        host.close();
    }
}
