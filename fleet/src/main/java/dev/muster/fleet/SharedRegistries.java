// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.RegistryDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The registries of a fleet's hosts, those that are alike once: what a fleet document writes. Confined to one thread.
final class SharedRegistries {
    /// With how many a host is compared: the kinds that stand next to each other. Where no two hosts are alike, each
    /// comparison ends at the first fact that differs.
    private static final int RECENT = 16;

    private static final String NO_CHANGES = "{}";

    private final List<AcceleratorRegistry> registries = new ArrayList<>();
    private final List<Use> uses = new ArrayList<>();
    /// The numbers that were used last, the latest first.
    private final List<Integer> recent = new ArrayList<>();

    /// A host's registry as a difference from a shared one.
    ///
    /// @param number the registry's
    /// @param changes the differences of the host
    private record Use(int number, String changes) {}

    private SharedRegistries() {}

    static SharedRegistries of(Fleet fleet) {
        SharedRegistries shared = new SharedRegistries();
        fleet.hosts().forEach(host -> shared.uses.add(shared.add(host.registry())));
        return shared;
    }

    /// The registries, each with another number, from 0 on.
    List<AcceleratorRegistry> registries() {
        return registries;
    }

    int number(int host) {
        return uses.get(host).number;
    }

    /// The differences of a host from its shared registry; blank if it has none.
    String changes(int host) {
        String changes = uses.get(host).changes;
        return changes.equals(NO_CHANGES) ? "" : changes;
    }

    private Use add(AcceleratorRegistry registry) {
        for (Integer number : recent) {
            Optional<String> changes = RegistryDocument.writeChanges(registries.get(number), registry);
            if (changes.isPresent()) {
                recent.remove(number);
                recent.addFirst(number);
                return new Use(number, changes.get());
            }
        }
        if (recent.size() == RECENT) {
            recent.removeLast();
        }
        recent.addFirst(registries.size());
        registries.add(registry);
        return new Use(registries.size() - 1, NO_CHANGES);
    }
}
