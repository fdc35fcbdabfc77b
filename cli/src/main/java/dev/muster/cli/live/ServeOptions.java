// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Version;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.report.text.Printable;
import dev.muster.server.AccessToken;
import dev.muster.server.ListenAddress;
import dev.muster.server.ServerConfig;
import dev.muster.server.ServerException;
import dev.muster.server.ServerTls;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The options of a server's addresses and access.
///
/// @param config the same for the server
/// @param showsToken true if the token was made up now, and has to be shown
/// @param warnings warnings for the user
record ServeOptions(ServerConfig config, boolean showsToken, List<String> warnings) {
    static final OptionSpec LISTEN = OptionSpec.value(
            "listen",
            "ADDRESS...",
            "address to listen on, may be repeated: ADDRESS:PORT (port 0 for a free one), or "
                    + "unix:PATH, a socket for this user only (default: 127.0.0.1:" + ServerConfig.DEFAULT_PORT
                    + " and [::1]:"
                    + ServerConfig.DEFAULT_PORT + ")");
    static final OptionSpec TOKEN_FILE = OptionSpec.value(
            "token-file", "FILE", "file with the bearer token for clients (default: generated and printed)");
    static final OptionSpec NO_TOKEN =
            OptionSpec.flag("no-token", "answer every user of this machine without a token; on loopback only");
    static final OptionSpec ALLOW_HOST = OptionSpec.value(
            "allow-host",
            "NAMES",
            "host names that clients may use for this server, such as behind a proxy, separated by commas");
    static final OptionSpec TLS_CERT = OptionSpec.value("tls-cert", "FILE", "certificate for HTTPS, in PEM format");
    static final OptionSpec TLS_KEY =
            OptionSpec.value("tls-key", "FILE", "private key of the certificate, in PEM format, without a password");
    static final OptionSpec TLS_CLIENT_CA = OptionSpec.value(
            "tls-client-ca",
            "FILE",
            "certificate authorities of client certificates, which are then required, in PEM format");
    static final OptionSpec METRIC_NAMES = OptionSpec.choice(
            "metric-names",
            "SCHEME",
            MetricNames.texts(),
            "names and units of metrics: muster (default), dcgm (as dcgm-exporter) or otel " + "(OpenTelemetry)");
    static final OptionSpec METRICS_WITHOUT_TOKEN =
            OptionSpec.flag("metrics-without-token", "serve /metrics without a token");

    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,252}(:[0-9]{1,5})?|\\[[0-9a-fA-F:]+](:[0-9]{1,5})?");
    private static final int MOST_PEM = 1 << 20;
    private static final String HOST_NAME = "/proc/sys/kernel/hostname";

    /// All options on how to listen, in the order of help.
    static List<OptionSpec> all() {
        return List.of(
                LISTEN,
                TOKEN_FILE,
                NO_TOKEN,
                ALLOW_HOST,
                TLS_CERT,
                TLS_KEY,
                TLS_CLIENT_CA,
                METRIC_NAMES,
                METRICS_WITHOUT_TOKEN);
    }

    /// Reads the options and the files that they name.
    ///
    /// @throws UsageException if they make no sense together
    /// @throws CommandException if a file cannot be read
    static ServeOptions of(Arguments arguments) {
        List<ListenAddress> listen = arguments
                .find(LISTEN)
                .map(text -> text.lines().map(ServeOptions::address).toList())
                .orElse(List.of(
                        address("127.0.0.1:" + ServerConfig.DEFAULT_PORT),
                        address("[::1]:" + ServerConfig.DEFAULT_PORT)));
        boolean hasPorts = listen.stream().anyMatch(ListenAddress.Port.class::isInstance);
        if (!hasPorts) {
            arguments.refuse(
                    List.of(TOKEN_FILE, TLS_CERT, TLS_KEY, TLS_CLIENT_CA),
                    "Unix sockets use plain HTTP, and access to the file as authorization");
        }
        Optional<ServerTls> tls = tls(arguments);
        if (arguments.has(NO_TOKEN)) {
            arguments.refuse(List.of(TOKEN_FILE), "--no-token uses none");
        }
        Optional<AccessToken> given = arguments.find(TOKEN_FILE).map(ServeOptions::token);
        boolean certified = tls.filter(ServerTls::demandsCertificate).isPresent();
        boolean makes = hasPorts && given.isEmpty() && !arguments.has(NO_TOKEN) && !certified;
        if (!makes && given.isEmpty() && !certified && !listen.stream().allMatch(ListenAddress::isLoopback)) {
            throw new UsageException(
                    "--no-token works on loopback only: remove it, or give --tls-client-ca FILE for --listen");
        }
        ServerConfig config = new ServerConfig(
                listen,
                arguments.find(ALLOW_HOST).map(ServeOptions::names).orElse(Set.of()),
                makes ? Optional.of(AccessToken.random(new SecureRandom())) : given,
                tls,
                arguments.find(METRIC_NAMES).flatMap(MetricNames::find).orElse(MetricNames.MUSTER),
                arguments.has(METRICS_WITHOUT_TOKEN),
                new File(HOST_NAME).isFile() ? TextFile.read(HOST_NAME).strip() : "",
                Version.TEXT);
        List<String> warnings = Stream.of(TOKEN_FILE, TLS_KEY)
                .flatMap(option -> arguments.find(option).stream())
                .filter(ServeOptions::isReadByAll)
                .map(file ->
                        "all users of this machine can read '" + Printable.of(file) + "'; restrict it with 'chmod 600'")
                .toList();
        return new ServeOptions(config, makes, warnings);
    }

    private static AccessToken token(String file) {
        String text = TextFile.read(file, MOST_PEM);
        try {
            return AccessToken.of(text);
        } catch (ServerException e) {
            throw new CommandException(
                    "'" + Printable.of(file) + "' does not contain a valid token: " + e.getMessage());
        }
    }

    private static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        for (String name : text.split(",", -1)) {
            if (!HOST.matcher(name.strip()).matches()) {
                throw ALLOW_HOST.isNot("names such as muster.example or muster.example:8443", text);
            }
            names.add(name.strip());
        }
        return names;
    }

    private static boolean isReadByAll(String file) {
        try {
            return Files.getPosixFilePermissions(Path.of(file)).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException | InvalidPathException _) {
            return false; // a file system without such permissions
        }
    }

    private static Optional<ServerTls> tls(Arguments arguments) {
        if (arguments.has(TLS_CERT) != arguments.has(TLS_KEY)
                || (arguments.has(TLS_CLIENT_CA) && !arguments.has(TLS_CERT))) {
            throw new UsageException("HTTPS needs both --tls-cert and --tls-key");
        }
        return arguments
                .find(TLS_CERT)
                .map(cert -> ServerTls.of(
                        pem(cert),
                        pem(arguments.find(TLS_KEY).orElseThrow()),
                        arguments.find(TLS_CLIENT_CA).map(ServeOptions::pem)));
    }

    private static byte[] pem(String file) {
        return TextFile.read(file, MOST_PEM).getBytes(StandardCharsets.UTF_8);
    }

    private static ListenAddress address(String text) {
        return ListenAddress.find(text)
                .orElseThrow(() -> LISTEN.isNot(
                        "an address and a port, such as 127.0.0.1:9470, [::1]:9470 or 0.0.0.0:9470, or unix:PATH",
                        text));
    }
}
