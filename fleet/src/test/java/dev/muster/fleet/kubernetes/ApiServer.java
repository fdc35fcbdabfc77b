// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.core.json.JsonValue;
import dev.muster.fleet.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A small API server on loopback that does to clients what a real one does: pages, versions, watches,
/// bookmarks, and refusals in the form of Status objects.
final class ApiServer implements AutoCloseable {
    static final String TOKEN = "secret-of-the-test";
    private static final String PASSWORD = "changeit";
    private static final int OLD = -1;

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final String certificate;
    private final Map<String, TreeMap<String, String>> objects = new HashMap<>();
    private final Map<String, List<String>> events = new HashMap<>();
    private final Deque<Refusal> refusals = new ArrayDeque<>();
    final List<String> asked = new CopyOnWriteArrayList<>();
    private int version = 100;
    private boolean open = true;

    /// An answer that is given instead, once, to requests whose path and query contain a word.
    private record Refusal(String word, int status, String body, Map<String, String> headers) {}

    ApiServer(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("key.p12");
        if (!Files.exists(store)) {
            run(
                    folder,
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-validity",
                    "2",
                    "-dname",
                    "CN=kubernetes",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-keystore",
                    "key.p12",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        certificate = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(keys.getCertificate("server").getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private static void run(Path folder, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("keytool: " + Files.readString(folder.resolve("keytool.log")));
        }
    }

    String address() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    String certificate() {
        return certificate;
    }

    /// A kubeconfig for it, with a line for the user.
    String kubeconfig(String user) {
        return """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts:
                - name: test
                  context: {cluster: here, user: me}
                clusters:
                - name: here
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: me
                  user:
                    %s
                """.formatted(
                address(), Base64.getEncoder().encodeToString(certificate.getBytes(StandardCharsets.UTF_8)), user);
    }

    String kubeconfig() {
        return kubeconfig("token: " + TOKEN);
    }

    synchronized void put(String path, String name, String json) {
        TreeMap<String, String> table = objects.computeIfAbsent(path, _ -> new TreeMap<>());
        String type = table.containsKey(name) ? "MODIFIED" : "ADDED";
        String whole = json.replace("\"VERSION\"", "\"" + ++version + "\"");
        table.put(name, whole);
        event(path, "{\"type\":\"" + type + "\",\"object\":" + whole + "}");
    }

    synchronized void delete(String path, String name) {
        String old = objects.computeIfAbsent(path, _ -> new TreeMap<>()).remove(name);
        version++;
        event(path, "{\"type\":\"DELETED\",\"object\":" + old + "}");
    }

    /// Sends something to all who watch.
    synchronized void event(String path, String json) {
        events.computeIfAbsent(path, _ -> new ArrayList<>()).add(json);
        notifyAll();
    }

    /// Ends all watches.
    synchronized void endWatches() {
        events.keySet().forEach(path -> event(path, ""));
    }

    synchronized void refuse(String word, int status, String body, Map<String, String> headers) {
        refusals.add(new Refusal(word, status, body, headers));
    }

    static String status(int code, String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"" + message
                + "\",\"code\":" + code + "}";
    }

    private void answer(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        String path = exchange.getRequestURI().getPath();
        asked.add(path + "?" + query);
        try (exchange) {
            Refusal refusal = refusal(path + "?" + query);
            if (refusal != null) {
                refusal.headers()
                        .forEach((key, value) -> exchange.getResponseHeaders().add(key, value));
                send(exchange, refusal.status(), refusal.body());
            } else if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                send(exchange, 401, status(401, "Unauthorized"));
            } else if (!known(path)) {
                send(exchange, 404, status(404, "the server could not find the requested resource"));
            } else if (query.contains("watch=1")) {
                watch(exchange, path, Integer.parseInt(parameter(query, "resourceVersion")));
            } else {
                send(exchange, 200, page(path, query));
            }
        }
    }

    private synchronized @org.jspecify.annotations.Nullable Refusal refusal(String request) {
        for (Refusal refusal : refusals) {
            if (request.contains(refusal.word())) {
                refusals.remove(refusal);
                return refusal;
            }
        }
        return null;
    }

    private synchronized boolean known(String path) {
        return objects.containsKey(path) || path.startsWith("/api/v1/");
    }

    /// A page: `continue` is the name behind which it goes on.
    private synchronized String page(String path, String query) {
        int limit = Integer.parseInt(parameter(query, "limit"));
        String after = parameter(query, "continue");
        List<String> items = new ArrayList<>();
        String last = "";
        String next = "";
        for (Map.Entry<String, String> entry : objects.getOrDefault(path, new TreeMap<>())
                .tailMap(after, after.isEmpty())
                .entrySet()) {
            if (items.size() == limit) {
                next = last;
                break;
            }
            items.add(entry.getValue());
            last = entry.getKey();
        }
        return "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version
                + "\",\"continue\":\"" + next + "\"},\"items\":[" + String.join(",", items) + "]}";
    }

    private static String parameter(String query, String name) {
        for (String part : query.split("&")) {
            if (part.startsWith(name + "=")) {
                return URLDecoder.decode(part.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    /// Sends what happens from now on; events in between were lost only if the test made the version old.
    private void watch(HttpExchange exchange, String path, int from) throws IOException {
        if (from == OLD) {
            send(exchange, 410, status(410, "too old resource version"));
            return;
        }
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.flush();
            int at;
            synchronized (this) {
                List<String> list = events.computeIfAbsent(path, _ -> new ArrayList<>());
                at = 0;
                while (at < list.size() && versionOf(list.get(at)) <= from) {
                    at++;
                }
            }
            while (true) {
                String next;
                synchronized (this) {
                    List<String> list = events.computeIfAbsent(path, _ -> new ArrayList<>());
                    while (open && at >= list.size()) {
                        wait();
                    }
                    if (!open) {
                        return;
                    }
                    next = list.get(at++);
                }
                if (next.isEmpty()) {
                    return;
                }
                out.write((next + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int versionOf(String event) {
        if (event.isEmpty()) {
            return 0;
        }
        String version = JsonFields.text(JsonValue.parse(event), "object", "metadata", "resourceVersion");
        return version.isEmpty() ? 0 : Integer.parseInt(version);
    }

    private static void send(HttpExchange exchange, int status, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try {
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            open = false;
            notifyAll();
        }
        server.stop(0);
        threads.shutdownNow();
    }
}
