// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.PriceStore;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.model.CatalogueException;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.price.SkyPilotPrices;
import dev.muster.plan.price.SkyPilotPrices.Fate;
import dev.muster.report.plan.PriceListText;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `muster prices`: the age of the prices, and an update of them from SkyPilot's catalogue.
public final class PricesCommand implements Command {
    private static final OptionSpec UPDATE = OptionSpec.value(
            "update",
            "DIR|URL",
            "read SkyPilot's catalogue from a folder, such as ~/.sky/catalogs, or from a web address with its clouds"
                    + " below it, and use its prices from now on");
    private static final OptionSpec DATE = OptionSpec.value(
            "date", "YYYY-MM-DD", "day of the new prices (default: the day on which each file was changed)");
    private static final OptionSpec TO = OptionSpec.value(
            "to", "FILE", "write the new prices to a file for --prices, and do not use them from now on");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("prices", "show the age of prices, or update them");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(UPDATE, DATE, TO, Catalogues.PRICES, Catalogues.DEVICES)
                .example("muster prices", "the providers, and how old their prices are")
                .example("muster prices --update ~/.sky/catalogs", "the prices that SkyPilot has downloaded")
                .example("muster prices --update skypilot-catalog --to prices.csv", "a checkout, as a file")
                .askingNoMachine();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "prices are of rented machines only");
        DeviceCatalogue devices = Catalogues.devices(arguments);
        Optional<String> from = arguments.find(UPDATE);
        if (from.isEmpty()) {
            arguments.refuse(List.of(DATE, TO), "nothing is written without --update");
        } else {
            arguments.refuse(List.of(Catalogues.PRICES), "the update itself has the prices");
            SkyPilotPrices read = SkyPilotPrices.of(devices);
            for (SkyPilotFiles.CloudFile file : SkyPilotFiles.find(from.get(), date(arguments), session)) {
                try {
                    read.read(file.cloud(), file.text(), file.date());
                } catch (CatalogueException e) {
                    throw new CommandException("'" + Printable.of(file.name()) + "', " + Printable.of(e));
                }
            }
            keep(read, arguments, session);
            say(read, session);
            print(read.prices(), arguments, session);
            return ExitCode.OK;
        }
        print(Catalogues.prices(arguments, devices, session), arguments, session);
        return ExitCode.OK;
    }

    private static void print(PriceCatalogue prices, Arguments arguments, Session session) {
        ReportPrinter.print(arguments, session, new PriceListText(prices, session.today()));
    }

    private static Optional<LocalDate> date(Arguments arguments) {
        try {
            return arguments.find(DATE).map(LocalDate::parse);
        } catch (DateTimeParseException e) {
            throw new UsageException("--date must be a day, such as 2026-08-22", e);
        }
    }

    private static void keep(SkyPilotPrices read, Arguments arguments, Session session) {
        if (read.fates().getOrDefault(Fate.KEPT, 0) == 0) {
            throw new CommandException("no price of a known device was found; nothing was written");
        }
        byte[] table = read.table().getBytes(StandardCharsets.UTF_8);
        Optional<String> to = arguments.find(TO);
        try {
            if (to.isPresent()) {
                Files.write(Path.of(to.get()), table);
            } else {
                PriceStore.write(table, session);
            }
        } catch (IOException e) {
            throw new CommandException("cannot write the prices", e);
        }
    }

    private static void say(SkyPilotPrices read, Session session) {
        List<String> parts = new ArrayList<>();
        int rows = 0;
        for (Fate fate : Fate.values()) {
            int count = read.fates().getOrDefault(fate, 0);
            rows += count;
            if (count > 0) {
                parts.add(count + " " + PriceListText.reason(fate));
            }
        }
        session.note("muster: " + Count.of(rows, "row") + ": " + String.join(", ", parts));
        if (!read.unknownDevices().isEmpty()) {
            session.note("muster: unknown devices: "
                    + String.join(
                            ", ",
                            read.unknownDevices().entrySet().stream()
                                    .sorted(Map.Entry.comparingByKey())
                                    .map(entry -> Printable.of(entry.getKey()) + " (" + entry.getValue() + ")")
                                    .toList()));
        }
    }
}
