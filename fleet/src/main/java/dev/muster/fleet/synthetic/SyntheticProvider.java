// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.synthetic;

import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import dev.muster.model.PlanException;
import dev.muster.plan.catalogue.DeviceCatalogue;

/// `synthetic:100xh100-sxm:8,seed=1` makes up a fleet.
public final class SyntheticProvider implements FleetSourceProvider {
    @Override
    public String scheme() {
        return "synthetic";
    }

    @Override
    public String usage() {
        return "synthetic:100xh100-sxm:8,seed=1";
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        try {
            return SyntheticFleet.parse(
                    text, DeviceCatalogue.builtIn(), context.host().clock());
        } catch (PlanException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
