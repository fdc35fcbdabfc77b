// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.model.CatalogueException;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.plan.cost.Rental;
import dev.muster.report.text.Printable;
import java.util.Optional;
import java.util.function.Function;

/// The tables that come with Muster, extended by those that the options name. Read only when they are asked for.
public final class Catalogues {
    public static final OptionSpec MODELS =
            OptionSpec.value("models", "FILE", "CSV file of additional models (docs/catalogues.md)");
    public static final OptionSpec DEVICES =
            OptionSpec.value("device-catalogue", "FILE", "CSV file of additional devices (docs/catalogues.md)");
    public static final OptionSpec PRICES =
            OptionSpec.value("prices", "FILE", "CSV file of prices (default: those of 'muster prices')");

    private Catalogues() {}

    public static ModelCatalogue models(Arguments arguments) {
        ModelCatalogue builtIn = ModelCatalogue.builtIn();
        return arguments
                .find(MODELS)
                .map(file -> builtIn.with(read(file, ModelCatalogue::parse)))
                .orElse(builtIn);
    }

    public static DeviceCatalogue devices(Arguments arguments) {
        DeviceCatalogue builtIn = DeviceCatalogue.builtIn();
        return arguments
                .find(DEVICES)
                .map(file -> builtIn.with(read(file, DeviceCatalogue::parse)))
                .orElse(builtIn);
    }

    public static PriceCatalogue prices(Arguments arguments, DeviceCatalogue devices, Session session) {
        return findPrices(arguments, devices, session).orElseGet(PriceCatalogue::builtIn);
    }

    /// Returns the prices that an option names, or that were updated; empty for the built-in ones.
    public static Optional<PriceCatalogue> findPrices(Arguments arguments, DeviceCatalogue devices, Session session) {
        Optional<String> file = arguments.find(PRICES);
        return file.isPresent()
                ? Optional.of(read(file.get(), text -> PriceCatalogue.parse(text, devices)))
                : PriceStore.read(devices, session).map(PriceCatalogue.builtIn()::with);
    }

    /// Says that a plan rests on an old price.
    public static void sayStale(Optional<Rental> rental, Session session) {
        if (rental.flatMap(Rental::age).filter(PriceAge::isStale).isPresent()) {
            session.note("muster: the price used is more than " + PriceCatalogue.MAX_AGE_DAYS
                    + " days old; check it, or give your own with --prices FILE");
        }
    }

    private static <T> T read(String file, Function<String, T> parser) {
        try {
            return parser.apply(TextFile.read(file));
        } catch (CatalogueException e) {
            throw new CommandException("'" + Printable.of(file) + "', " + Printable.of(e));
        }
    }
}
