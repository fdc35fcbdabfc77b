// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.launch.LaunchContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The backends `nccl` and `rccl`: a vendor's library for buffers on its devices; other buffers go the way that
/// would be chosen without it. Serves one session.
public final class NcclProvider implements EngineProvider {
    private final NcclKind kind;
    private @Nullable DeviceOpener opener;

    /// The backend of a vendor's library.
    public NcclProvider(NcclKind kind) {
        this.kind = kind;
    }

    @Override
    public String name() {
        return kind.text();
    }

    @Override
    public boolean isForDevices() {
        return true;
    }

    @Override
    public Optional<String> findLibrary(LaunchContext context) {
        int localRank = context.findLocalRank().orElse(0);
        return Optional.of(NcclConnector.of(kind, localRank).prepare());
    }

    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        EngineContext.EngineChoice choice = context.openBest(group);
        Engine host = choice.engine();
        try {
            Engine device = opener(context).open(group, kind, context.limit(), () -> {});
            String reason =
                    "it was requested; buffers of the host go by " + host.name() + ", because " + choice.reason();
            return PlacedEngine.of(device.name(), host, device, reason);
        } catch (RuntimeException e) {
            host.close();
            throw e;
        }
    }

    @Override
    public void divide(GroupIdentity parent, int colour, int key, EngineContext context) {
        opener(context).divide(kind, parent, colour, key);
    }

    private DeviceOpener opener(EngineContext context) {
        DeviceOpener known = opener != null ? opener : new DeviceOpener(context);
        opener = known;
        return known;
    }
}
