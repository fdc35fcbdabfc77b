// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.launch.LaunchContext;
import java.util.Optional;

/// The backend `gloo`: Gloo, through a small library of our own that `MUSTER_GLOO_SHIM` names.
public final class GlooProvider implements EngineProvider {
    /// Its name.
    public static final String NAME = "gloo";

    /// The library between Java and Gloo: a path, or a name that the system looks for.
    private static final String SHIM = "MUSTER_GLOO_SHIM";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        return GlooConnector.connect(group, shim(context.findSetting(SHIM)), context);
    }

    @Override
    public Optional<String> findLibrary(LaunchContext context) {
        String shim = shim(context.findSetting(SHIM));
        GlooLibrary.load(shim);
        return Optional.of(shim);
    }

    private static String shim(Optional<String> setting) {
        return setting.orElse(GlooLibrary.NAME);
    }
}
