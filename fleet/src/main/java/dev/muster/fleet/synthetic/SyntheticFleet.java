// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.synthetic;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.text.HostList;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Domain;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A made-up fleet: hosts of several kinds under leaf switches, some down, some drained, most with jobs on
/// them. The same text makes the same fleet. For tests, for trying things out, and to see how large a fleet
/// may be. Safe to share between threads.
public final class SyntheticFleet implements FleetSource {
    private static final Pattern PART = Pattern.compile("([0-9]{1,6})x([A-Za-z0-9][A-Za-z0-9._-]*):([0-9]{1,4})");
    private static final Pattern SEED = Pattern.compile("seed=([0-9]{1,15})");
    private static final int HOSTS_OF_A_LEAF = 32;
    private static final int LEAVES_OF_A_SPINE = 16;
    private static final double DOWN = 0.01;
    private static final double DRAINING = 0.02;
    private static final double FAILED_DEVICE = 0.005;
    private static final double BUSY = 0.7;
    private static final Provenance SOURCE =
            Provenance.of("synthetic", Provenance.Method.GIVEN, Provenance.Confidence.STATED);

    private final List<Part> parts;
    private final long seed;
    private final boolean live;
    private final InstantSource clock;

    /// Hosts of one kind.
    private record Part(int hosts, String device, AcceleratorRegistry machine) {}

    private SyntheticFleet(List<Part> parts, long seed, boolean live, InstantSource clock) {
        this.parts = List.copyOf(parts);
        this.seed = seed;
        this.live = live;
        this.clock = clock;
    }

    /// The fleet that a text describes: hosts, device and devices of each, such as
    /// `100xh100-sxm:8,20xmi300x:8,seed=7`; with `live`, devices have a load that changes with time.
    ///
    /// @throws IllegalArgumentException if the text describes none
    /// @throws dev.muster.model.PlanException if the catalogue has no such device
    public static SyntheticFleet parse(String text, DeviceCatalogue catalogue, InstantSource clock) {
        List<Part> parts = new ArrayList<>();
        long seed = 0;
        long hosts = 0;
        boolean live = false;
        for (String item : text.split(",", -1)) {
            Matcher part = PART.matcher(item.strip());
            Matcher start = SEED.matcher(item.strip());
            if (item.strip().equals("live")) {
                live = true;
            } else if (start.matches()) {
                seed = Long.parseLong(start.group(1));
            } else if (part.matches()) {
                hosts += Long.parseLong(part.group(1));
                String device = part.group(2).toLowerCase(Locale.ROOT);
                AcceleratorRegistry machine = WhatIf.synthetic("[" + device + ":" + part.group(3) + "]", catalogue);
                parts.add(new Part(Integer.parseInt(part.group(1)), device, machine));
            } else {
                throw new IllegalArgumentException(
                        "'" + item + "' describes no hosts; write 100xh100-sxm:8,20xmi300x:8,seed=7");
            }
        }
        if (parts.isEmpty() || hosts > HostList.MAX_HOSTS) {
            throw new IllegalArgumentException("a made-up fleet has 1 to " + HostList.MAX_HOSTS + " hosts");
        }
        return new SyntheticFleet(parts, seed, live, clock);
    }

    @Override
    public String name() {
        return "synthetic";
    }

    @Override
    public SourceReport read(Duration limit) {
        SplittableRandom random = new SplittableRandom(seed);
        Instant now = clock.instant();
        List<HostReport> hosts = new ArrayList<>();
        for (Part part : parts) {
            int width = Integer.toString(part.hosts).length();
            for (int i = 1; i <= part.hosts; i++) {
                String digits = Integer.toString(i);
                String name = part.device + "-" + "0".repeat(width - digits.length()) + digits;
                HostReport host = host(name, part, hosts.size(), random);
                hosts.add(live ? SyntheticLoad.of(host, seed + hosts.size(), now) : host);
            }
        }
        return new SourceReport(name(), SourceKind.SCHEDULER, now, hosts, List.of());
    }

    private static HostReport host(String name, Part part, int number, SplittableRandom random) {
        double luck = random.nextDouble();
        HostState state = luck < DOWN
                ? new HostState(HostState.HostStateKind.DOWN, "DOWN", "Not responding")
                : luck < DOWN + DRAINING
                        ? new HostState(HostState.HostStateKind.DRAINING, "IDLE+DRAIN", "ECC errors")
                        : new HostState(HostState.HostStateKind.READY, "IDLE", "");
        boolean failed = random.nextDouble() < FAILED_DEVICE;
        List<AcceleratorProfile> devices = new ArrayList<>();
        List<DeviceId> free = new ArrayList<>();
        for (AcceleratorProfile device : part.machine.profiles()) {
            if (device.accelerator().kind() == AcceleratorKind.CPU) {
                devices.add(device);
                continue;
            }
            boolean lost = failed && free.isEmpty();
            failed &= !lost;
            String uuid = "GPU-" + new UUID(random.nextLong(), random.nextLong());
            devices.add(device.toBuilder()
                    .with(DeviceFact.UUID, Reading.known(uuid, SOURCE))
                    .available(!lost)
                    .build());
            if (!lost) {
                free.add(device.id());
            }
        }
        List<Claim> claims = new ArrayList<>();
        if (state.kind() == HostState.HostStateKind.READY && !free.isEmpty() && random.nextDouble() < BUSY) {
            int count = 1 + random.nextInt(free.size());
            claims.add(new Claim(
                    "job " + (100_000 + random.nextInt(900_000)),
                    "user" + random.nextInt(100),
                    count,
                    free.subList(0, count)));
            state = new HostState(HostState.HostStateKind.READY, count == free.size() ? "ALLOCATED" : "MIXED", "");
        }
        int leaf = number / HOSTS_OF_A_LEAF;
        List<Domain> domains = List.of(
                new Domain(Domain.DomainKind.LEAF, "leaf" + leaf),
                new Domain(Domain.DomainKind.SPINE, "spine" + leaf / LEAVES_OF_A_SPINE));
        return new HostReport(
                name,
                part.machine.withDevices(devices),
                state,
                claims,
                domains,
                List.of(new Restriction(Restriction.RestrictionKind.PARTITION, part.device, "")),
                Map.of());
    }
}
