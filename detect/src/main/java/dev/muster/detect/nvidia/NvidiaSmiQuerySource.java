package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
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

    /// Who the GPUs are: without their addresses they cannot be told from those on the bus.
    private static final List<String> IDENTITY = List.of("index", "uuid", "pci.bus_id");

    private static final List<String> MODE = List.of("index", "mig.mode.current");

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
        // After a failure that is reported already, what is no row is the complaint.
        (outcome.failure().isEmpty() ? query.faults() : List.<String>of())
                .forEach(fault -> gaps.accept(new Gap.Unparsable(NvidiaProbe.NAME, fault)));
        if (query.rows().isEmpty()) {
            return query.faults().isEmpty()
                    ? new NvidiaAnswer.Devices(List.of())
                    : new NvidiaAnswer.Refused(query.faults().getFirst());
        }
        Optional<NvidiaQuery> identities = smi.askAnyway(
                        "--query-gpu=" + String.join(",", IDENTITY), "--format=csv,noheader,nounits")
                .map(text -> NvidiaQuery.parse(text, IDENTITY));
        // Drivers older than MIG do not know the column, and would then answer none of the others.
        Optional<NvidiaQuery> modes = smi.askAnyway(
                        "--query-gpu=" + String.join(",", MODE), "--format=csv,noheader,nounits")
                .map(text -> NvidiaQuery.parse(text, MODE));
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
            profiles.addAll(slices.divide(board, mode));
        }
        profiles.addAll(NvidiaLostGpus.parse(outcome.output() + "\n" + outcome.failure(), profiles, smi.source()));
        return new NvidiaAnswer.Devices(profiles);
    }

    private static AcceleratorProfile identify(AcceleratorProfile device, AcceleratorProfile identity) {
        return device.toBuilder()
                .with(DeviceFact.UUID, identity.reading(DeviceFact.UUID))
                .with(DeviceFact.PCI_ADDRESS, identity.reading(DeviceFact.PCI_ADDRESS))
                .build();
    }
}
