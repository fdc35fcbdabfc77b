// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.message.MessageCollectives;

/// Collectives over connections between members.
final class TcpEngine implements Engine {
    private final SocketTransport mover;
    private final MessageCollectives collectives;

    /// @param inRankOrder true if reductions always take ranks in ascending order, at any cost
    TcpEngine(GroupIdentity group, SocketTransport mover, boolean inRankOrder) {
        this.mover = mover;
        this.collectives = new MessageCollectives(group, mover, inRankOrder);
    }

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public void execute(GroupCall call) {
        collectives.execute(call);
    }

    @Override
    public void abort(GroupException reason) {
        mover.stop(reason);
    }

    @Override
    public void close() {
        mover.close();
        collectives.close();
    }
}
