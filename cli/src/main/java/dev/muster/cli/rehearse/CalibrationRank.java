// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.rehearse;

import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.Thoroughness;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.rehearse.CollectiveCalibration;
import dev.muster.mesh.session.MeshSession;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A process of `muster calibrate --mesh`: joins the mesh that its variables name and measures collectives.
/// The first rank writes what it measures next, and in the end a line for each curve, since lines have a
/// greatest length.
public final class CalibrationRank {
    private static final String NEXT = "measuring\t";
    private static final String MEASURED = "measured\t";

    private CalibrationRank() {}

    /// Measures as thoroughly as the argument says.
    public static void main(String[] arguments) {
        LaunchContext context = LaunchContext.from(System.getenv());
        try (MeshSession session = MeshSession.join(context)) {
            boolean isFirst = context.rank() == 0;
            MeshCalibration mesh = new CollectiveCalibration(
                            session, context.findBackend().orElse(""), Thoroughness.valueOf(arguments[0]))
                    .measure(InstantSource.system(), next -> {
                        if (isFirst) {
                            System.out.println(NEXT + next);
                        }
                    });
            if (isFirst) {
                mesh.curves().forEach(curve -> System.out.println(line(mesh, curve)));
            }
        } catch (GroupException e) {
            // One sentence, which the command shows: an engine that is not available is not a defect.
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static String line(MeshCalibration mesh, Curve curve) {
        return MEASURED
                + CalibrationDocument.of(withCurves(mesh, List.of(curve)))
                        .toJson()
                        .toText();
    }

    private static MeshCalibration withCurves(MeshCalibration mesh, List<Curve> curves) {
        return new MeshCalibration(
                mesh.backend(), mesh.ranks(), mesh.hosts(), mesh.measuredAt(), mesh.thoroughness(), curves);
    }

    /// Puts together what lines say. Confined to one thread.
    static final class Lines {
        private @Nullable MeshCalibration found;

        /// Returns the next measurement, if the line has it.
        Optional<String> take(String line) {
            if (line.startsWith(MEASURED)) {
                byte[] json = line.substring(MEASURED.length()).getBytes(StandardCharsets.UTF_8);
                MeshCalibration more = CalibrationDocument.read(json).meshes().getFirst();
                List<Curve> curves = new ArrayList<>(found == null ? List.of() : found.curves());
                curves.addAll(more.curves());
                found = withCurves(more, curves);
            }
            return line.startsWith(NEXT) ? Optional.of(line.substring(NEXT.length())) : Optional.empty();
        }

        Optional<MeshCalibration> found() {
            return Optional.ofNullable(found);
        }
    }
}
