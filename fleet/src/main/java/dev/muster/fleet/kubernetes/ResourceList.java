// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.detect.host.Deadline;
import dev.muster.fleet.json.JsonItems;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All objects of a kind at one time.
///
/// @param objects the objects by key
/// @param path the path of the list; blank if the server does not know the kind
/// @param version the version of the list, from which changes can be watched
record ResourceList<T>(Map<String, T> objects, String path, String version) {
    private static final int PAGE = 500;
    /// Kubernetes itself is meant for 5,000 nodes and 150,000 pods.
    private static final int MAX_OBJECTS = 1_000_000;

    private static final long MAX_PAGE_BYTES = 2L << 30;
    private static final int MAX_PAGES = 100_000;
    private static final int MAX_RESTARTS = 3;

    /// Lists all objects of a kind, page by page.
    static <T> ResourceList<T> read(KubernetesClient client, ResourceKind<T> kind, Deadline deadline)
            throws AnswerException, InterruptedException {
        AnswerException unknown = null;
        for (String path : kind.paths()) {
            try {
                return read(client, kind, path, deadline);
            } catch (AnswerException e) {
                if (e.status() != AnswerException.NOT_FOUND) {
                    throw e;
                }
                unknown = e;
            }
        }
        if (unknown != null && !kind.isOptional()) {
            throw unknown;
        }
        return new ResourceList<>(Map.of(), "", "");
    }

    private static <T> ResourceList<T> read(
            KubernetesClient client, ResourceKind<T> kind, String path, Deadline deadline)
            throws AnswerException, InterruptedException {
        for (int restarts = 0; ; restarts++) {
            try {
                return readPages(client, kind, path, deadline);
            } catch (AnswerException e) {
                // The server keeps a list for some minutes; behind that it has to be read from its beginning.
                if (e.status() != AnswerException.GONE || restarts == MAX_RESTARTS) {
                    throw e;
                }
            }
        }
    }

    private static <T> ResourceList<T> readPages(
            KubernetesClient client, ResourceKind<T> kind, String path, Deadline deadline)
            throws AnswerException, InterruptedException {
        Page<T> page = new Page<>(kind);
        for (int number = 0; number < MAX_PAGES; number++) {
            StringBuilder query = new StringBuilder(path).append("?limit=").append(PAGE);
            if (!kind.selector().isEmpty()) {
                query.append('&').append(kind.selector());
            }
            if (!page.next.isEmpty()) {
                query.append("&continue=").append(URLEncoder.encode(page.next, StandardCharsets.UTF_8));
            }
            page.next = "";
            try (InputStream body = client.open(kind.name(), query.toString(), deadline)) {
                new JsonItems(body, MAX_PAGE_BYTES, JsonItems.MAX_ITEM_BYTES).readObject(page, Set.of("items"));
            } catch (IOException | DocumentException e) {
                throw client.failure(e);
            }
            if (page.next.isEmpty()) {
                return new ResourceList<>(page.objects, path, page.version);
            }
        }
        throw new AnswerException(AnswerException.NONE, client.name() + ": the list of " + kind.name() + " has no end");
    }

    /// The content of the pages so far.
    private static final class Page<T> implements JsonItems.Visitor {
        private final ResourceKind<T> kind;
        private final Map<String, T> objects = new HashMap<>();
        private String next = "";
        private String version = "";

        Page(ResourceKind<T> kind) {
            this.kind = kind;
        }

        @Override
        public void item(String list, byte[] text) throws IOException {
            if (!kind.isWorthReading().test(text)) {
                return;
            }
            JsonValue object = JsonValue.parse(text);
            @Nullable T known = kind.reader().apply(object).orElse(null);
            if (known != null) {
                objects.put(kind.key().apply(object), known);
            }
            if (objects.size() > MAX_OBJECTS) {
                throw new IOException("there are more than " + MAX_OBJECTS + " " + kind.name());
            }
        }

        @Override
        public void member(String name, byte[] text) {
            if (name.equals("metadata")) {
                JsonValue value = JsonValue.parse(text);
                next = text(value, "continue");
                version = text(value, "resourceVersion");
            }
        }
    }
}
