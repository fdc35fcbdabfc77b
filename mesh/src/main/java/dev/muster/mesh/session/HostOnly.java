package dev.muster.mesh.session;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;

/// Stands where an engine for memory of devices would, in a group whose engine was asked for and has none.
final class HostOnly implements Engine {
    private final GroupIdentity group;
    private final String backend;

    HostOnly(GroupIdentity group, String backend) {
        this.group = group;
        this.backend = backend;
    }

    @Override
    public String name() {
        return "none";
    }

    @Override
    public void requirePossible(Call call) {
        throw new IllegalArgumentException("group " + group.name() + " goes by " + backend
                + ", which was asked for and knows memory of the host alone; choose the backend auto or nccl for memory"
                + " of devices");
    }

    @Override
    public void execute(Call call) {
        throw new IllegalStateException("a call that was refused");
    }

    @Override
    public void abort(GroupException reason) {
        // Nothing is ever under way.
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
