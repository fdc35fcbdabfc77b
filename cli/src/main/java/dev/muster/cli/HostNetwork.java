package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.plan.search.DevicePool;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.time.CoefficientTable;

/// `--hosts`: machines like the one that is asked, and the network between them.
final class HostNetwork {
    static final OptionSpec HOSTS = OptionSpec.value(
            "hosts", "COUNT", "so many machines like this one, joined by their network; 1 unless said");

    /// More devices than anybody has in one place.
    private static final int MOST_DEVICES = 1 << 20;

    private static final double GIGA = 1e9;

    private HostNetwork() {}

    /// How many machines like the one that is asked there are.
    ///
    /// @throws UsageException if it is no number
    static int hosts(Arguments arguments) {
        return ServingPlanning.number(arguments, HOSTS, 1, 1);
    }

    /// What joins the devices of one kind. Says so where the network between machines is guessed.
    ///
    /// @throws UsageException if there are more devices than can be planned for
    static HostLinks links(AcceleratorRegistry registry, DevicePool pool, int hosts, Session session) {
        if ((long) hosts * pool.count() > MOST_DEVICES) {
            throw new UsageException("--hosts " + hosts + " with " + pool.count() + " devices each are more than the "
                    + MOST_DEVICES + " that can be planned for");
        }
        HostLinks links = HostLinks.of(registry, pool, hosts, CoefficientTable.builtIn());
        if (!links.isKnown() && hosts * pool.count() > links.domain()) {
            session.note("muster: the network between hosts is unknown; assumed is "
                    + Math.round(links.network() / GIGA) + " GB/s for each device, as in published runs");
        }
        return links;
    }
}
