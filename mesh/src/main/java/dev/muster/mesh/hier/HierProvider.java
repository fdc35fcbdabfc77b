// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.hier;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupIdentity;
import java.util.ArrayList;
import java.util.List;

/// The backends `hier`, `hier-mpi` and `hier-gloo`: shared memory within hosts and another backend between them.
///
/// @param between opens engines whose members may be on other hosts
public record HierProvider(String name, EngineProvider between) implements EngineProvider {
    @Override
    public boolean needsMpi() {
        return between.needsMpi();
    }

    /// Opens the engine within this host, that between the first members of hosts, and one between all.
    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        HostLayout layout = HostLayout.of(group.rank(), context.hosts(group));
        List<Engine> opened = new ArrayList<>();
        try {
            Engine host = null;
            Engine leaders = null;
            if (layout.neighbours().length > 1) {
                host = context.openBest(group.part("host-" + layout.ownHost(), layout.neighbours()))
                        .engine();
                opened.add(host);
            }
            if (layout.hosts() > 1 && layout.isLeader()) {
                leaders = between.open(group.part("leaders", layout.leaders()), context);
                opened.add(leaders);
            }
            Engine all = between.open(group, context);
            return new HierEngine(layout, host, leaders, all, context.inRankOrder());
        } catch (RuntimeException e) {
            opened.forEach(Engine::close);
            throw e;
        }
    }
}
