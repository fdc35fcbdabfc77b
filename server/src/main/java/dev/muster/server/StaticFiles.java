// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// The files of the page, by exact names: `page/files.csv` lists path, file and media type; other paths do not exist.
/// Read once, when the server starts.
final class StaticFiles {
    private static final String FOLDER = "page/";
    private static final String INDEX = "files.csv";
    private static final int TAG_LENGTH = 16;
    private static final Operation PAGE = Operation.of(
                    "openPage", "The page; with ?token=TOKEN the token becomes a cookie")
            .taking("token", "token of this start")
            .answeringWith("text/html", "The page")
            .orEmpty(303, "The cookie was set");

    private StaticFiles() {}

    static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (String line : new String(read(INDEX), StandardCharsets.UTF_8).split("\n")) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] columns = line.strip().split(",");
            Answer answer = answer(columns[1].strip(), columns[2].strip());
            String path = columns[0].strip();
            routes.add(
                    path.equals("/")
                            ? Route.open(path, PAGE, new Endpoint.Entrance(answer))
                            : Route.open(path, file(path, answer), new Endpoint.Now(_ -> answer)));
        }
        return routes;
    }

    private static Operation file(String path, Answer answer) {
        String name = path.substring(1);
        return Operation.of("readFile-" + name, "A file of the page").answeringWith(answer.contentType(), "The file");
    }

    private static Answer answer(String file, String type) {
        byte[] bytes = read(file);
        return new Answer(200, type, bytes, tag(bytes), Map.of("Cache-Control", "no-cache"));
    }

    /// Returns a document that does not change.
    static Answer document(JsonValue document) {
        byte[] bytes = document.toText().getBytes(StandardCharsets.UTF_8);
        return new Answer(200, "application/json", bytes, tag(bytes), Map.of());
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "\"" + HexFormat.of().formatHex(digest).substring(0, TAG_LENGTH) + "\"";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    private static byte[] read(String file) {
        try (InputStream stream = StaticFiles.class.getResourceAsStream(FOLDER + file)) {
            if (stream == null) {
                throw new IllegalStateException("the jar has no " + FOLDER + file);
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
