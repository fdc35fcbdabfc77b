// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.ask.PlanPictureOption;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshPlacement.CrossingRule;
import dev.muster.mesh.MeshPlacement.PlacementFit;
import dev.muster.mesh.MeshPlanException;
import dev.muster.mesh.MeshSpec;
import dev.muster.report.mesh.MeshAnswer;
import dev.muster.report.picture.MeshPicture;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.List;

/// `muster mesh plan`: which rank stands where, who talks to whom, and on which device.
final class MeshPlanCommand implements Command {
    static final OptionSpec ORDER =
            OptionSpec.value("order", "ORDER", "order of the dimensions, the fastest-varying first, such as tp-pp-dp");
    static final OptionSpec GROUPS = OptionSpec.value(
            "groups", "NAMES", "only these groups, separated by commas; tp-pp is the product of both dimensions");
    static final OptionSpec ALLOW_SURPLUS =
            OptionSpec.flag("allow-surplus", "allow more devices than ranks; the others stay idle");
    static final OptionSpec NO_CROSSING =
            OptionSpec.flag("no-crossing", "fail instead of warning if the busiest groups span hosts");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("mesh plan", "show ranks, process groups and their devices");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "MESH|FILE")
                .with(ORDER, GROUPS, ALLOW_SURPLUS, NO_CROSSING)
                .with(PlannerOptions.DEVICES, PlannerOptions.HOSTS, PlanPictureOption.SVG, Catalogues.DEVICES)
                .exiting("1  the mesh does not fit the devices")
                .example("muster mesh plan tp=2,pp=2,dp=2", "8 ranks, tp varying fastest, with all groups")
                .example(
                        "muster mesh plan tp=8,dp=2 --order dp-tp --synthetic '2x[h100-sxm:8 nvswitch]'",
                        "another order, on two synthetic hosts")
                .example("muster mesh plan plan.json --svg mesh.svg", "the mesh of a saved plan, as a picture");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("give a mesh such as tp=2,pp=2,dp=2, or a saved plan");
        }
        MeshSpec spec = MeshArgument.read(arguments.operands().getFirst());
        MeshAnswer answer = answer(arguments, session, spec);
        PlanPictureOption.print(arguments, session, answer, () -> MeshPicture.of(answer));
        return answer.problem().isEmpty() ? ExitCode.OK : ExitCode.NO;
    }

    private static MeshAnswer answer(Arguments arguments, Session session, MeshSpec asked) {
        DeviceMesh mesh;
        List<GroupFamily> shown;
        try {
            MeshSpec spec = arguments.find(ORDER).map(asked::withOrder).orElse(asked);
            mesh = DeviceMesh.planned(spec);
            shown = mesh.families();
            if (arguments.has(GROUPS)) {
                List<GroupFamily> chosen = new ArrayList<>();
                for (String item : arguments.find(GROUPS).orElseThrow().split(",", -1)) {
                    String[] names = item.strip().split("-", -1);
                    mesh = mesh.withGroupsAlong(names);
                    chosen.add(spec.along(names));
                }
                shown = chosen;
            }
        } catch (MeshPlanException e) {
            throw new UsageException(Printable.of(e));
        }
        List<MeshDevice> devices = MeshDeviceOptions.load(arguments, session);
        if (devices.isEmpty()) {
            session.note("muster: no accelerator found, so ranks have no devices; use --synthetic for "
                    + "hypothetical ones");
            return new MeshAnswer(mesh, shown, null, "");
        }
        PlacementFit fit = arguments.has(ALLOW_SURPLUS) ? PlacementFit.SURPLUS_ALLOWED : PlacementFit.EXACT;
        CrossingRule rule = arguments.has(NO_CROSSING) ? CrossingRule.REFUSE : CrossingRule.WARN;
        try {
            return new MeshAnswer(mesh, shown, MeshPlacement.of(mesh.spec(), devices, fit, rule), "");
        } catch (MeshPlanException e) {
            session.note("muster: the mesh does not fit " + Count.of(devices.size(), "device"));
            return new MeshAnswer(mesh, shown, null, advise(e));
        }
    }

    private static String advise(MeshPlanException problem) {
        String advice = switch (problem.code()) {
            case SURPLUS_DEVICES -> " (--allow-surplus)";
            case TOO_FEW_DEVICES -> "; use --synthetic for hypothetical devices, or --hosts for more machines";
            default -> "";
        };
        return problem.getMessage() + advice;
    }
}
