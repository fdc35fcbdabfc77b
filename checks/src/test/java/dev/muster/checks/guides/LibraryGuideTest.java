// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.RegistryDifference;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Detector;
import dev.muster.detect.RegistryHolder;
import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshDevices;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshPlacement.CrossingRule;
import dev.muster.mesh.MeshPlacement.PlacementFit;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.MeshSpec.Wrap;
import dev.muster.model.checkpoint.Checkpoint;
import dev.muster.model.checkpoint.CheckpointException;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceList;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.rules.ShardingPlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The examples of `README.md` and `docs/library.md`.
class LibraryGuideTest {
    @TempDir
    private Path temporary;

    @Test
    void detectsChoosesPlansAndPrints() {
        // begin five-lines
        AcceleratorRegistry registry = Detector.ofThisHost().detect();
        AcceleratorProfile best = registry.findBest().orElseThrow();
        QuantizationLevel level =
                RulePlanner.of(registry).suggestQuantization(70_000_000_000L).level();
        ShardingPlan plan = RulePlanner.of(registry).plan(70_000_000_000L, level);
        System.out.println(best.display() + ", " + level.display() + "\n" + plan.display());
        // end five-lines

        assertThat(plan.shards()).isNotEmpty();
    }

    @Test
    void aFactIsKnownOrSaysWhyNot() {
        AcceleratorProfile best = Detector.ofThisHost().detect().findBest().orElseThrow();
        // begin reading
        String memory = switch (best.memory()) {
            case Reading.Known<Bytes>(Bytes bytes, Provenance from) -> bytes.toGib() + " GiB, says " + from.source();
            case Reading.Unknown<Bytes>(UnknownReason reason, var _) -> "unknown: " + reason.text();
        };
        // end reading

        assertThat(memory).containsAnyOf("GiB, says", "unknown: ");
    }

    @Test
    void documentsAreWrittenAndRead() {
        AcceleratorRegistry registry = AcceleratorRegistry.of(List.of(AcceleratorProfile.cpu(Bytes.ofGib(16))));
        byte[] bytes = RegistryDocument.write(registry).getBytes(StandardCharsets.UTF_8);
        String text = ReferenceDocument.write(registry);
        // begin documents
        String json = RegistryDocument.write(registry);
        AcceleratorRegistry again = RegistryDocument.read(bytes); // any of the three forms
        AcceleratorRegistry theirs = ReferenceDocument.read(text); // ai-hwaccel, schema 1 to 3, strictly
        String forThem = ReferenceDocument.write(registry); // schema 3, to the letter
        // end documents

        assertThat(json).isEqualTo(RegistryDocument.write(again));
        assertThat(forThem).isEqualTo(ReferenceDocument.write(theirs));
    }

    @Test
    void modelFilesSayHowManyParametersTheyHave() throws IOException {
        AcceleratorRegistry registry = AcceleratorRegistry.of(List.of(AcceleratorProfile.cpu(Bytes.ofGib(16))));
        Path path = safeTensors("model.safetensors", 16);
        // begin model-file
        Checkpoint model = CheckpointReader.create().read(path); // a file, or a folder with its config.json
        long parameters = model.parameters().find().orElseThrow();
        Bytes weights = model.weightBytes().find().orElseThrow();
        QuantizationLevel level =
                RulePlanner.of(registry).suggestQuantization(parameters).level();
        // end model-file

        assertThat(parameters).isEqualTo(4);
        assertThat(weights).isEqualTo(Bytes.of(16));
        assertThat(level).isEqualTo(QuantizationLevel.FLOAT16);
    }

    @Test
    void tensorsAreHandedOnWithinLimits() throws IOException {
        Path path = safeTensors("model.safetensors", 16);
        // begin model-limits
        CheckpointReader.Limits limits =
                new CheckpointReader.Limits(16 << 20, 50_000, 10_000, 64, Duration.ofSeconds(5));
        List<String> names = new ArrayList<>();
        CheckpointReader.of(limits).read(path, tensor -> names.add(tensor.name()));
        // end model-limits

        assertThat(names).containsExactly("weight");
    }

    @Test
    void aBrokenFileIsRefused() throws IOException {
        Path path = safeTensors("cut.safetensors", 3);

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> upload(path))
                .withMessageContaining("'cut.safetensors'");
    }

    private static Checkpoint upload(Path path) {
        // begin model-refused
        try {
            return CheckpointReader.create().read(path);
        } catch (CheckpointException refused) {
            throw new IllegalArgumentException(refused.code() + ": " + refused.getMessage(), refused);
        }
        // end model-refused
    }

    @Test
    void registriesAreRememberedAndRefreshed() {
        String home = System.getProperty("user.home");
        System.setProperty("user.home", temporary.toString());
        try {
            remember();
        } finally {
            System.setProperty("user.home", home);
        }
    }

    private static void remember() {
        // begin remembering
        Detector detector = Detector.ofThisHost();

        RegistryHolder holder = RegistryHolder.of(detector, Duration.ofMinutes(1));
        List<AcceleratorProfile> gpus = holder.byFamily(AcceleratorFamily.GPU); // asks for GPUs alone
        AcceleratorRegistry registry = holder.get(); // asks for the rest; then from memory, for a minute

        Path folder = Path.of(System.getProperty("user.home"), ".cache", "muster");
        RegistryHolder shared = RegistryHolder.of(detector, Duration.ofMinutes(10), folder); // across processes
        AcceleratorRegistry remembered = shared.get();
        Optional<Duration> age = shared.age();

        try (RegistryHolder.Subscription _ = holder.listen(event -> {
            System.out.println(
                    (event.added() ? "+ " : "- ") + event.profile().id().text());
        })) {
            RegistryDifference changes = holder.refresh();
            System.out.println(changes.devices());
        }
        // end remembering

        assertThat(remembered.profiles()).hasSameSizeAs(registry.profiles());
        assertThat(age).isPresent();
        assertThat(gpus).hasSameSizeAs(registry.byFamily(AcceleratorFamily.GPU));
    }

    private Path safeTensors(String name, int dataBytes) throws IOException {
        byte[] header = "{\"weight\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}"
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(Long.BYTES + header.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header);
        return Files.write(temporary.resolve(name), file.array());
    }

    @Test
    void registriesOfTheCatalogueNeedNoHardware() {
        // begin synthetic
        DeviceCatalogue catalogue = DeviceCatalogue.builtIn();
        AcceleratorRegistry two = WhatIf.synthetic("2x[h100-sxm:8 nvswitch ib:8x400]", catalogue);
        AcceleratorRegistry more = WhatIf.add(two, DeviceList.parse("l4:2", catalogue));
        AcceleratorRegistry less =
                WhatIf.remove(more, device -> device.id().text().equals("cuda:0"));
        // end synthetic

        assertThat(less.byFamily(AcceleratorFamily.GPU)).hasSize(17);
    }

    @Test
    void meshesArePlannedAndPlaced() {
        // begin mesh
        DeviceCatalogue catalogue = DeviceCatalogue.builtIn();
        AcceleratorRegistry hosts = WhatIf.synthetic("2x[h100-sxm:8 nvswitch]", catalogue);
        List<MeshDevice> devices = MeshDevices.of(hosts).accelerators().all();
        MeshSpec spec = MeshSpec.parse("tp=8,dp=2"); // tp fastest: ranks 0 to 7 are a TP group
        MeshPlacement placement = MeshPlacement.of(spec, devices, PlacementFit.EXACT, CrossingRule.REFUSE);
        DeviceMesh mesh = placement.mesh().withRank(11);
        MeshGroup replicas = mesh.requireGroup("dp_3"); // 3 and 11
        OptionalInt next = spec.findNext(mesh.rank(), "tp", Wrap.AROUND); // 12
        // end mesh

        assertThat(replicas.ranks().asList()).containsExactly(3, 11);
        assertThat(next).hasValue(12);
        assertThat(mesh.findLocalDevice().orElseThrow().label()).isEqualTo("host1/cuda:3");
    }
}
