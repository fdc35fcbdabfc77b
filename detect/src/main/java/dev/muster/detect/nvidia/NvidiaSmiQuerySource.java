// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.probe.ProbeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Asks `nvidia-smi --query-gpu`, for tools whose other form cannot be read.
final class NvidiaSmiQuerySource implements NvidiaAnswer.Source {
    /// The question, as ai-hwaccel asks it.
    static final String[] QUESTION = {
        "--query-gpu=" + String.join(",", NvidiaQuery.COLUMNS), "--format=csv,noheader,nounits"
    };

    /// The identity of the GPUs: without their addresses they cannot be told from those on the bus.
    private static final List<String> IDENTITY = List.of("index", "uuid", "pci.bus_id");

    private static final List<String> MODE = List.of("index", "mig.mode.current");
    private static final List<String> HEALTH =
            List.of("index", "compute_mode", "ecc.errors.uncorrected.volatile.total");
    private static final List<String> FABRIC = List.of("index", "fabric.state", "fabric.status");

    NvidiaSmiQuerySource() {}

    @Override
    public NvidiaAnswer ask(ProbeContext context, NvidiaSmi smi, Consumer<Gap> gaps) {
        NvidiaSmi.Outcome outcome = smi.ask(QUESTION);
        if (!outcome.asked()) {
            return new NvidiaAnswer.NotAsked();
        }
        NvidiaQuery query = NvidiaQuery.parse(outcome.output());
        if (query.rows().isEmpty() && !outcome.failure().isEmpty()) {
            return new NvidiaAnswer.Refused(NvidiaFormatException.quote(outcome.failure()));
        }
        // After a failure that is reported already, a line that is not a row is the complaint.
        (outcome.failure().isEmpty() ? query.faults() : List.<String>of())
                .forEach(fault -> gaps.accept(new Gap.Unparsable(NvidiaProbe.NAME, fault)));
        if (query.rows().isEmpty()) {
            return query.faults().isEmpty()
                    ? new NvidiaAnswer.Devices(List.of())
                    : new NvidiaAnswer.Refused(query.faults().getFirst());
        }
        // Drivers older than MIG or fabrics do not know the columns, and would then answer none of the others.
        Optional<NvidiaQuery> identities = query(smi, IDENTITY);
        Optional<NvidiaQuery> modes = query(smi, MODE);
        Optional<NvidiaQuery> fabrics = query(smi, FABRIC);
        Optional<NvidiaQuery> health = query(smi, HEALTH);
        NvidiaListedSlices slices = NvidiaListedSlices.ask(smi);
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (NvidiaQuery.Row row : query.rows()) {
            AcceleratorProfile device = row.profile(smi.source());
            AcceleratorProfile board = identities
                    .flatMap(rows -> rows.find(row.index()))
                    .map(identity -> identify(device, identity.profile(smi.source())))
                    .orElse(device);
            Reading<String> mode = modes.flatMap(rows -> rows.find(row.index()))
                    .map(answer -> answer.profile(smi.source()).reading(DeviceFact.PARTITIONING))
                    .orElse(Reading.notProbed());
            AcceleratorProfile joined = fabrics.flatMap(rows -> rows.find(row.index()))
                    .map(fabric -> withFabric(board, fabric, smi.source()))
                    .orElse(board);
            AcceleratorProfile judged = health.flatMap(rows -> rows.find(row.index()))
                    .map(answer -> withHealth(joined, answer.profile(smi.source())))
                    .orElse(joined);
            profiles.addAll(slices.divide(judged, mode));
        }
        profiles.addAll(NvidiaLostGpus.parse(outcome.output() + "\n" + outcome.failure(), profiles, smi.source()));
        return new NvidiaAnswer.Devices(profiles);
    }

    private static Optional<NvidiaQuery> query(NvidiaSmi smi, List<String> columns) {
        return smi.findAnyOutput("--query-gpu=" + String.join(",", columns), "--format=csv,noheader,nounits")
                .map(text -> NvidiaQuery.parse(text, columns));
    }

    private static AcceleratorProfile withFabric(AcceleratorProfile device, NvidiaQuery.Row fabric, Provenance source) {
        NvidiaValue state = new NvidiaValue(fabric.value("fabric.state"), source);
        NvidiaValue status = new NvidiaValue(fabric.value("fabric.status"), source);
        return device.toBuilder()
                .with(DeviceFact.FABRIC_STATE, NvidiaFabricHealth.state(state, status))
                .build();
    }

    private static AcceleratorProfile withHealth(AcceleratorProfile device, AcceleratorProfile health) {
        return device.toBuilder()
                .with(DeviceFact.COMPUTE_MODE, health.reading(DeviceFact.COMPUTE_MODE))
                .with(DeviceFact.ECC_UNCORRECTED, health.reading(DeviceFact.ECC_UNCORRECTED))
                .build();
    }

    private static AcceleratorProfile identify(AcceleratorProfile device, AcceleratorProfile identity) {
        return device.toBuilder()
                .with(DeviceFact.UUID, identity.reading(DeviceFact.UUID))
                .with(DeviceFact.PCI_ADDRESS, identity.reading(DeviceFact.PCI_ADDRESS))
                .build();
    }
}
