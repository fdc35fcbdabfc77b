// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.text.HostList;
import dev.muster.detect.host.Deadline;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.SourceReport;
import dev.muster.fleet.json.JsonItems;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The nodes of a cluster as `slurmrestd` tells them. It asks for the newest form that it knows, and for older
/// ones until the server has one.
final class SlurmRestSource implements FleetSource {
    /// The newest first; 22.05 has the oldest.
    private static final List<String> VERSIONS =
            List.of("v0.0.44", "v0.0.43", "v0.0.42", "v0.0.41", "v0.0.40", "v0.0.39", "v0.0.38");
    /// The most of one answer; 20,000 nodes have some 50 MB.
    private static final long MAX_BYTES = 512L << 20;
    /// The most of one node or job; a job lists its cores one by one.
    private static final int MAX_ITEM_BYTES = 16 << 20;

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final URI server;
    /// The address without a slash at its end: a proxy may have the server under a path.
    private final String base;
    private final String user;
    private final String token;
    private final HttpClient client;
    private final InstantSource clock;

    SlurmRestSource(URI server, String user, String token, HttpClient client, InstantSource clock) {
        this.server = server;
        this.base = server.toString().replaceAll("/+$", "");
        this.user = user;
        this.token = token;
        this.client = client;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "slurm:" + server.getAuthority();
    }

    @Override
    public SourceReport read(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        Instant now = clock.instant();
        Provenance source = Provenance.of(name(), Provenance.Method.DOCUMENT, Provenance.Confidence.STATED)
                .withObservedAt(now);
        SlurmJson json = new SlurmJson(source);
        List<Gap> gaps = new ArrayList<>();
        for (String version : VERSIONS) {
            List<SlurmNode> nodes = new ArrayList<>();
            if (ask(version, "nodes", deadline, one -> nodes.addAll(json.nodes(one)))) {
                List<SlurmJob> jobs = new ArrayList<>();
                List<SlurmReservation> reservations = new ArrayList<>();
                optional(version, "jobs", deadline, gaps, one -> jobs.addAll(json.jobs(one)));
                optional(
                        version,
                        "reservations",
                        deadline,
                        gaps,
                        one -> reservations.addAll(json.reservations(one, now)));
                return new SourceReport(
                        name(), now, new SlurmReports(source).of(nodes, jobs, reservations, SlurmTopology.NONE), gaps);
            }
        }
        throw new FleetException(name() + ": the server has none of " + VERSIONS.getFirst() + " to "
                + VERSIONS.getLast() + "; is it a slurmrestd?");
    }

    /// Gets an object with one item in the list that was asked for.
    private interface Items {
        void accept(JsonValue one);
    }

    private void optional(String version, String what, Deadline deadline, List<Gap> gaps, Items items) {
        try {
            if (!ask(version, what, deadline, items)) {
                gaps.add(new Gap.Unparsable(name(), "the server has no " + what));
            }
        } catch (FleetException e) {
            gaps.add(new Gap.Unparsable(name(), String.valueOf(e.getMessage())));
        }
    }

    /// @return true if the server has what was asked for
    private boolean ask(String version, String what, Deadline deadline, Items items) {
        URI address = URI.create(base + "/slurm/" + version + "/" + what);
        if (deadline.hasPassed()) {
            throw new FleetException(name() + ": timed out before reading " + what);
        }
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(deadline.remaining()).header("Accept", "application/json");
        if (!token.isBlank()) {
            request.header("X-SLURM-USER-TOKEN", token);
        }
        if (!user.isBlank()) {
            request.header("X-SLURM-USER-NAME", user);
        }
        try {
            HttpResponse<InputStream> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                return accept(response.statusCode(), body, what, items);
            }
        } catch (ConnectException e) {
            throw new FleetException(name() + ": it cannot be reached; is slurmrestd up, and is the address right?", e);
        } catch (HttpTimeoutException e) {
            throw new FleetException(name() + ": it did not answer in time", e);
        } catch (IOException e) {
            throw new FleetException(name() + ": " + address.getPath() + " cannot be read: " + said(e), e);
        } catch (DocumentException e) {
            throw new FleetException(name() + ": the answer for " + what + " cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetException(name() + ": the program is stopping", e);
        }
    }

    private static String said(IOException e) {
        return Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName());
    }

    private boolean accept(int status, InputStream body, String what, Items items) throws IOException {
        if (status == NOT_FOUND) {
            return false;
        }
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            throw new FleetException(name() + ": the server refuses the token (" + status
                    + "); make one with 'scontrol token' and give it in SLURM_JWT");
        }
        if (status != OK) {
            throw new FleetException(name() + ": the server answers " + status + " when asked for " + what);
        }
        List<String> complaints = new ArrayList<>();
        int[] count = {0};
        JsonItems.Visitor visitor = new JsonItems.Visitor() {
            @Override
            public void member(String name, byte[] utf8) {}

            @Override
            public void item(String name, byte[] utf8) {
                JsonValue one = JsonObject.builder()
                        .put(name, new JsonArray(List.of(JsonValue.parse(utf8))))
                        .build();
                if (name.equals("errors")) {
                    complaints.add(SlurmJson.error(one));
                } else if (name.equals(what) && count[0]++ < HostList.MAX_HOSTS) {
                    items.accept(one);
                }
            }
        };
        new JsonItems(body, MAX_BYTES, MAX_ITEM_BYTES).readObject(visitor, Set.of(what, "errors"));
        complaints.removeIf(String::isBlank);
        if (count[0] == 0 && !complaints.isEmpty()) {
            throw new FleetException(name() + ": the server says: " + complaints.getFirst());
        }
        return true;
    }
}
