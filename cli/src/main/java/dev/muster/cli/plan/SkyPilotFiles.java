// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.session.Session;
import dev.muster.plan.price.SkyPilotPrices;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The files of SkyPilot's catalogue: `vms.csv` in a folder for each cloud, below a folder for each version of the
/// form.
final class SkyPilotFiles {
    private static final String NAME = "vms.csv";
    private static final Pattern VERSION = Pattern.compile("v[0-9]{1,4}");
    private static final Pattern URL = Pattern.compile("https?://.+");
    /// The clouds that are asked for at an address, which lists no folders.
    private static final List<String> CLOUDS = List.of(
            "aws",
            "azure",
            "cudo",
            "do",
            "fluidstack",
            "gcp",
            "hyperbolic",
            "hyperstack",
            "ibm",
            "lambda",
            "nebius",
            "oci",
            "ovhcloud",
            "paperspace",
            "primeintellect",
            "runpod",
            "scaleway",
            "scp",
            "seeweb",
            "shadeform",
            "vast",
            "verda",
            "yotta");

    private static final int MAX_BYTES = 16 << 20;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final Duration MOST = Duration.ofSeconds(60);

    private SkyPilotFiles() {}

    /// A file.
    ///
    /// @param cloud the folder's name
    /// @param name the whole name, for messages
    /// @param text content
    /// @param date day of its prices
    record CloudFile(String cloud, String name, String text, LocalDate date) {}

    static List<CloudFile> find(String from, Optional<LocalDate> date, Session session) {
        List<CloudFile> files = URL.matcher(from).matches() ? fetch(from, date, session) : read(from, date, session);
        if (files.isEmpty()) {
            throw new CommandException("no catalogue found at '" + Printable.of(from)
                    + "'; it has a folder for each cloud, such as aws, with a file " + NAME);
        }
        return files;
    }

    private static List<CloudFile> read(String from, Optional<LocalDate> date, Session session) {
        List<CloudFile> files = new ArrayList<>();
        try {
            for (Path folder : folders(newest(Path.of(from)))) {
                Path file = folder.resolve(NAME);
                String cloud = String.valueOf(folder.getFileName());
                if (!Files.exists(file)) {
                    continue;
                }
                if (SkyPilotPrices.provider(cloud).isEmpty()) {
                    session.note("muster: folder '" + Printable.of(cloud) + "' is not read: no such provider is known");
                    continue;
                }
                LocalDate day = date.isPresent()
                        ? date.get()
                        : day(Files.getLastModifiedTime(file).toInstant());
                files.add(new CloudFile(cloud, file.toString(), TextFile.read(file.toString(), MAX_BYTES), day));
            }
        } catch (IOException | InvalidPathException e) {
            throw new CommandException("cannot read folder '" + Printable.of(from) + "'", e);
        }
        return files;
    }

    private static LocalDate day(Instant time) {
        return time.atZone(ZoneOffset.UTC).toLocalDate();
    }

    /// Returns the folder of the newest version below a folder, or that folder.
    private static Path newest(Path folder) throws IOException {
        Path catalogs = folder.resolve("catalogs");
        Path root = Files.isDirectory(catalogs) ? catalogs : folder;
        return folders(root).stream()
                .filter(one ->
                        VERSION.matcher(String.valueOf(one.getFileName())).matches())
                .max(Comparator.comparingInt(one ->
                        Integer.parseInt(String.valueOf(one.getFileName()).substring(1))))
                .orElse(root);
    }

    private static List<Path> folders(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(Files::isDirectory).sorted().toList();
        }
    }

    private static List<CloudFile> fetch(String from, Optional<LocalDate> date, Session session) {
        List<CloudFile> files = new ArrayList<>();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(MOST).build()) {
            for (String cloud : CLOUDS) {
                String name = from.replaceFirst("/+$", "") + '/' + cloud + '/' + NAME;
                HttpRequest request =
                        HttpRequest.newBuilder(URI.create(name)).timeout(MOST).build();
                HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
                try (InputStream body = answer.body()) {
                    if (answer.statusCode() == NOT_FOUND) {
                        session.note("muster: " + Printable.of(name) + " not found");
                        continue;
                    }
                    if (answer.statusCode() != OK) {
                        throw new CommandException(Printable.of(name) + " answered with status " + answer.statusCode());
                    }
                    byte[] bytes = body.readNBytes(MAX_BYTES + 1);
                    if (bytes.length > MAX_BYTES) {
                        throw new CommandException(
                                Printable.of(name) + " is larger than " + (MAX_BYTES >> 20) + " MiB");
                    }
                    files.add(new CloudFile(
                            cloud, name, new String(bytes, StandardCharsets.UTF_8), date.orElseGet(session::today)));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandException("cannot fetch '" + Printable.of(from) + "'", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted while fetching '" + Printable.of(from) + "'", e);
        }
        return files;
    }
}
