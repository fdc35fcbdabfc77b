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
    /// Cudo Compute.
    CUDO("cudo", "Cudo Compute"),
    /// DigitalOcean.
    DIGITALOCEAN("digitalocean", "DigitalOcean", "do"),
    /// FluidStack.
    FLUIDSTACK("fluidstack", "FluidStack"),
    /// Hyperbolic.
    HYPERBOLIC("hyperbolic", "Hyperbolic"),
    /// IBM Cloud.
    IBM("ibm", "IBM Cloud"),
    /// Mithril, whose prices are bids.
    MITHRIL("mithril", "Mithril"),
    /// OVHcloud.
    OVHCLOUD("ovhcloud", "OVHcloud", "ovh"),
    /// Paperspace.
    PAPERSPACE("paperspace", "Paperspace"),
    /// Prime Intellect, a market of several providers.
    PRIMEINTELLECT("primeintellect", "Prime Intellect"),
    /// Scaleway.
    SCALEWAY("scaleway", "Scaleway"),
    /// Samsung Cloud Platform.
    SCP("scp", "Samsung Cloud Platform"),
    /// Seeweb.
    SEEWEB("seeweb", "Seeweb"),
    /// Shadeform, a market of several providers.
    SHADEFORM("shadeform", "Shadeform"),
    /// Vast.ai, a market of private hosts.
    VAST("vast", "Vast.ai"),
    /// Verda, formerly DataCrunch.
    VERDA("verda", "Verda", "datacrunch"),
    /// Yotta.
    YOTTA("yotta", "Yotta"),
    /// The user's own machines, which are not rented.
    OWN("own", "your own"),
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

    /// Finds a provider by its name or alias, in any case.
    ///
    /// @since 0.3
    public static Optional<CloudProvider> find(String name) {
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
