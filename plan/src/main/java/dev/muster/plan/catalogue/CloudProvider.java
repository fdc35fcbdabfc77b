// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvRow;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A provider that rents out machines with accelerators.
///
/// @since 0.1
public enum CloudProvider {
    /// Amazon Web Services.
    AWS("aws", "AWS", "amazon"),
    /// Google Cloud.
    GCP("gcp", "Google Cloud", "google"),
    /// Microsoft Azure.
    AZURE("azure", "Azure", "microsoft"),
    /// Oracle Cloud Infrastructure.
    ORACLE("oracle", "Oracle Cloud", "oci"),
    /// CoreWeave.
    COREWEAVE("coreweave", "CoreWeave"),
    /// Hyperstack.
    HYPERSTACK("hyperstack", "Hyperstack"),
    /// Lambda.
    LAMBDA("lambda", "Lambda", "lambdalabs"),
    /// Nebius.
    NEBIUS("nebius", "Nebius"),
    /// RunPod.
    RUNPOD("runpod", "RunPod"),
    /// Any other provider, in a user's own table: another cloud, a department's machines.
    OTHER("other", "other");

    private final String text;
    private final String display;
    private final List<String> aliases;

    CloudProvider(String text, String display, String... aliases) {
        this.text = text;
        this.display = display;
        this.aliases = List.of(aliases);
    }

    /// Parses a provider's name or alias, in any case.
    ///
    /// @throws CatalogueException if none has that name; the message lists the names
    public static CloudProvider parse(String name) {
        return find(name)
                .orElseThrow(() -> CatalogueException.of(
                        "no provider is called '" + CsvRow.shown(name) + "'; known: " + String.join(", ", texts())));
    }

    static Optional<CloudProvider> find(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        for (CloudProvider provider : values()) {
            if (provider.text.equals(wanted) || provider.aliases.contains(wanted)) {
                return Optional.of(provider);
            }
        }
        return Optional.empty();
    }

    /// Returns the names of all providers.
    public static List<String> texts() {
        return Arrays.stream(values()).map(CloudProvider::text).toList();
    }

    /// Returns the name in tables, documents and on the command line, such as `gcp`.
    public String text() {
        return text;
    }

    /// Returns the display name, such as `Google Cloud`.
    public String display() {
        return display;
    }
}
