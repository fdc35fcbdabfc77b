package dev.muster.plan.catalogue;

import dev.muster.plan.model.CatalogueException;
import dev.muster.plan.table.CsvRow;
import dev.muster.plan.table.CsvTable;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What clouds ask for machines with accelerators. Prices change often; each says its day. Immutable and safe to share
/// between threads.
///
/// @since 0.1
public final class PriceCatalogue {
    /// From this age on, in days, a price is no longer to be trusted.
    public static final int MAX_AGE_DAYS = 90;

    private static final String RESOURCE = "prices.csv";

    private final Map<String, InstanceOffer> offers;

    private PriceCatalogue(Map<String, InstanceOffer> offers) {
        this.offers = offers;
    }

    /// The prices that come with Muster.
    public static PriceCatalogue builtIn() {
        return BuiltIn.CATALOGUE;
    }

    /// Reads a table of prices, as docs/catalogues.md describes it.
    ///
    /// @param devices the devices that the table may name
    /// @throws CatalogueException if the text is no such table
    public static PriceCatalogue parse(String text, DeviceCatalogue devices) {
        Map<String, InstanceOffer> offers = new LinkedHashMap<>();
        for (InstanceOffer offer : PriceRows.read(text, devices)) {
            if (offers.put(offer.key(), offer) != null) {
                throw CatalogueException.of("instance '" + CsvRow.shown(offer.instance()) + "' of "
                        + offer.provider().display() + " is there twice for region '"
                        + CsvRow.shown(offer.region()) + "'; delete one");
            }
        }
        return new PriceCatalogue(offers);
    }

    private static final class BuiltIn {
        private static final PriceCatalogue CATALOGUE =
                parse(CsvTable.resource(PriceCatalogue.class, RESOURCE), DeviceCatalogue.builtIn());
    }

    /// This catalogue with the offers of another, which come first where both have one of the same provider, name
    /// and region.
    public PriceCatalogue with(PriceCatalogue more) {
        Map<String, InstanceOffer> both = new LinkedHashMap<>(offers);
        both.putAll(more.offers);
        return new PriceCatalogue(both);
    }

    /// All offers, in the order of the table.
    public List<InstanceOffer> offers() {
        return List.copyOf(offers.values());
    }

    /// The offers whose prices are more than [#MAX_AGE_DAYS] days old.
    public List<InstanceOffer> listStale(LocalDate today) {
        return offers.values().stream().filter(offer -> offer.isStale(today)).toList();
    }
}
