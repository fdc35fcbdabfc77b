// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Session;
import dev.muster.core.Reading;
import dev.muster.model.CatalogueException;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.checkpoint.CheckpointException;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// `muster models --update FOLDER --models FILE`: writes the models of a folder into a user's catalogue.
final class CatalogueUpdate {
    private static final int MOST_MODELS = 5000;
    private static final String CONFIG = "config.json";
    private static final String JSON = ".json";

    private final Session session;
    private int added;

    CatalogueUpdate(Session session) {
        this.session = session;
    }

    /// Writes the file anew; it is left as it is if no model is added.
    ///
    /// @return the exit code
    int update(String folder, String file) {
        Map<String, ModelArchitecture> models = read(path(folder));
        try {
            Path table = path(file);
            String old = Files.exists(table) ? TextFile.read(file) : "";
            String text = ModelCatalogue.refreshed(old, models, session.today(), this::tell);
            if (added > 0) {
                Files.writeString(table, text);
            }
        } catch (CatalogueException e) {
            throw new CommandException("'" + Printable.of(file) + "', " + Printable.of(e));
        } catch (IOException e) {
            throw new CommandException("cannot write '" + Printable.of(file) + "'", e);
        }
        session.note("muster: wrote " + Count.of(added, "model") + " of " + models.size() + " into "
                + Printable.of(file) + "; use it with --models " + Printable.of(file));
        return added > 0 ? ExitCode.OK : ExitCode.NO;
    }

    private void tell(String name, Reading<Long> parameters) {
        if (parameters instanceof Reading.Unknown<Long> unknown) {
            session.note("muster: " + Printable.of(name) + " is left out: " + unknown.detail());
        } else {
            added++;
        }
    }

    private Map<String, ModelArchitecture> read(Path folder) {
        Map<String, ModelArchitecture> models = new TreeMap<>();
        try (Stream<Path> inside = Files.list(folder)) {
            List<Path> found = inside.limit(MOST_MODELS + 1L).sorted().toList();
            if (found.size() > MOST_MODELS) {
                throw new UsageException("'" + Printable.of(folder.toString()) + "' has more than " + MOST_MODELS
                        + " entries; divide it");
            }
            for (Path entry : found) {
                config(entry).ifPresent(file -> readInto(models, name(entry), file));
            }
        } catch (IOException e) {
            throw new UsageException("'" + Printable.of(folder.toString()) + "' is not a readable folder");
        }
        if (models.isEmpty()) {
            throw new UsageException("'" + Printable.of(folder.toString())
                    + "' has no config.json: expected FOLDER/NAME/config.json or FOLDER/OWNER--NAME.json");
        }
        return models;
    }

    private void readInto(Map<String, ModelArchitecture> models, String name, Path file) {
        try {
            models.put(name, CheckpointReader.create().read(file).architecture());
        } catch (CheckpointException e) {
            session.note("muster: " + Printable.of(name) + " is left out: " + Printable.of(e));
        }
    }

    /// Returns the configuration of a folder, or a file of one; never what a link points to.
    private static Optional<Path> config(Path entry) {
        Path file = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) ? entry.resolve(CONFIG) : entry;
        return Optional.of(file)
                .filter(one -> one.toString().endsWith(JSON))
                .filter(one -> Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS));
    }

    /// Returns the repository of a folder or file named as the Hub's caches are, or else its name.
    private static String name(Path entry) {
        String name = String.valueOf(entry.getFileName());
        String plain = name.endsWith(JSON) ? name.substring(0, name.length() - JSON.length()) : name;
        String alone = plain.startsWith("models--") ? plain.substring("models--".length()) : plain;
        return alone.replace("--", "/");
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException _) {
            throw new UsageException("'" + Printable.of(text) + "' is not a valid file name");
        }
    }
}
