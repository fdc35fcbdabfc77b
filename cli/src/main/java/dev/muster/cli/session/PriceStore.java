// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.CommandException;
import dev.muster.detect.file.PrivateFile;
import dev.muster.model.CatalogueException;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/// The prices that the user has updated, in the cache folder.
public final class PriceStore {
    private static final String NAME = "prices.csv";
    private static final int MAX_BYTES = 8 << 20;

    private PriceStore() {}

    /// Returns the updated prices; empty if there are none, or they cannot be read, which is said.
    static Optional<PriceCatalogue> read(DeviceCatalogue devices, Session session) {
        Optional<Path> folder = CacheFolder.of(session.host().variables());
        try {
            return folder.isEmpty()
                    ? Optional.empty()
                    : PrivateFile.of(folder.get(), NAME)
                            .read(MAX_BYTES)
                            .map(content ->
                                    PriceCatalogue.parse(new String(content.bytes(), StandardCharsets.UTF_8), devices));
        } catch (IOException | CatalogueException e) {
            session.note("muster: the updated prices cannot be read, so the built-in ones are used: " + Printable.of(e)
                    + "; update them again with 'muster prices --update'");
            return Optional.empty();
        }
    }

    /// Keeps a table of prices, which is used from now on.
    public static void write(byte[] table, Session session) throws IOException {
        Path folder = CacheFolder.of(session.host().variables())
                .orElseThrow(() -> new CommandException(
                        "neither XDG_CACHE_HOME nor HOME is set; write the prices to a file with --to"));
        PrivateFile.of(folder, NAME).write(table);
        session.note("muster: stored in " + Printable.of(folder.resolve(NAME).toString()));
    }
}
