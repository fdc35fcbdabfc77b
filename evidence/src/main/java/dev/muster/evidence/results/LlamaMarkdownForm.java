// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Terminal output of `llama-bench` and `llama-batched-bench`: tables in Markdown, among lines that name devices and
/// builds. One text may hold tables of both, for several models.
final class LlamaMarkdownForm implements ResultForm {
    private static final Pattern CUDA_DEVICE = Pattern.compile("\\s*Device (\\d+): (.+?), .*");
    private static final Pattern VULKAN_DEVICE = Pattern.compile("ggml_vulkan: (\\d+) = (.+?)(?: \\(.*)?(?: \\|.*)?");
    private static final Pattern METAL_DEVICE = Pattern.compile("ggml_metal_\\w+: GPU name:\\s+(.+?)\\s*");
    private static final Pattern BUILD = Pattern.compile("build: (\\w+)(?: \\((\\d+)\\))?.*");
    private static final Pattern HEADING = Pattern.compile("#+ +(?:[\\w.-]+/)?([\\w.-]+?)(?:-GGUF)?\\s*");
    private static final Pattern TEST = Pattern.compile("(pp|tg)(\\d+)(?:\\+(tg)(\\d+))?(?: *@ *d(\\d+))?");

    @Override
    public boolean recognises(ResultText text) {
        for (String line : text.lines()) {
            List<String> cells = cells(line);
            if (isBench(cells) || isBatched(cells)) {
                return true;
            }
        }
        return text.holds("ggml_cuda_init:") || text.holds("ggml_vulkan:") || text.holds("llama_model_load");
    }

    private static boolean isBench(List<String> cells) {
        return cells.contains("model") && cells.contains("test") && cells.contains("t/s");
    }

    private static boolean isBatched(List<String> cells) {
        return cells.contains("PP") && cells.contains("S_TG t/s");
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        Reading reading = new Reading();
        text.lines().forEach(reading::add);
        return reading.finish();
    }

    private static List<String> cells(String line) {
        String plain = line.strip();
        if (!plain.startsWith("|") || !plain.endsWith("|") || plain.length() < 2) {
            return List.of();
        }
        List<String> cells = new ArrayList<>();
        for (String cell : plain.substring(1, plain.length() - 1).split("\\|", -1)) {
            cells.add(cell.strip());
        }
        return cells;
    }

    /// The state of reading. Confined to one thread.
    private static final class Reading {
        private final List<RunBuilder> runs = new ArrayList<>();
        private final List<String> devices = new ArrayList<>();
        private List<String> columns = List.of();
        private String heading = "";
        private int unbuilt;
        private boolean isCut;

        void add(String line) {
            List<String> cells = cells(line);
            if (isBench(cells) || isBatched(cells)) {
                columns = cells;
            } else if (cells.isEmpty()) {
                addOther(line);
            } else if (cells.size() == columns.size() && !cells.getFirst().startsWith("-")) {
                addRow(cells);
            }
        }

        private void addOther(String line) {
            isCut = !columns.isEmpty() && line.strip().startsWith("|");
            addDevice(CUDA_DEVICE.matcher(line), 2);
            addDevice(VULKAN_DEVICE.matcher(line), 2);
            addDevice(METAL_DEVICE.matcher(line), 1);
            Matcher title = HEADING.matcher(line);
            if (title.matches()) {
                heading = title.group(1);
            }
            Matcher build = BUILD.matcher(line);
            if (build.matches()) {
                String release = build.group(2) == null ? build.group(1) : "b" + build.group(2);
                runs.subList(unbuilt, runs.size()).forEach(run -> run.say(Fact.RELEASE, release));
                unbuilt = runs.size();
            }
        }

        private void addDevice(Matcher matcher, int group) {
            if (matcher.matches() && devices.size() < 1024) {
                devices.add(matcher.group(group));
            }
        }

        private void addRow(List<String> cells) {
            if (isBatched(columns)) {
                addBatched(cells);
                return;
            }
            Matcher test = TEST.matcher(cell(cells, "test"));
            String rate = cell(cells, "t/s");
            int spread = rate.indexOf('±');
            OptionalDouble speed = Numbers.find(spread < 0 ? rate : rate.substring(0, spread));
            if (test.matches() && speed.isPresent() && speed.getAsDouble() > 0) {
                RunBuilder run = RunBuilder.of("llama-bench").say(Fact.ENGINE, "llama.cpp");
                LlamaRecord.name(run, Optional.of(cell(cells, "model")), Optional.empty());
                boolean isPrompt = test.group(1).equals("pp");
                double first = Double.parseDouble(test.group(2));
                double both = test.group(4) == null ? 0 : Double.parseDouble(test.group(4));
                double depth = test.group(5) == null ? 0 : Double.parseDouble(test.group(5));
                LlamaRecord.add(run, isPrompt ? first : 0, isPrompt ? both : first, depth, speed.getAsDouble());
                addDevices(run, cell(cells, "backend"));
                runs.add(run);
            }
        }

        private void addBatched(List<String> cells) {
            RunBuilder run = RunBuilder.of("llama-batched-bench").say(Fact.ENGINE, "llama.cpp");
            run.say(Fact.MODEL, heading);
            addDevices(run, "");
            LlamaBatchedForm.add(run, name -> Numbers.find(cell(cells, name)));
            if (run.hasFigures()) {
                runs.add(run);
            }
        }

        /// Adds the devices of a backend; those behind RPC are on other hosts and are not listed.
        private void addDevices(RunBuilder run, String backend) {
            if (!devices.isEmpty()) {
                run.say(Fact.DEVICE, devices.getFirst());
                if (!backend.contains("RPC")) {
                    run.say(Fact.DEVICES, devices.size());
                }
            }
        }

        private String cell(List<String> cells, String name) {
            int at = columns.indexOf(name);
            return at < 0 ? "" : cells.get(at);
        }

        List<MeasuredRun> finish() {
            if (runs.isEmpty()) {
                throw ResultsException.of("the log of llama-bench has no row with a speed: the run failed");
            }
            if (isCut) {
                throw ResultsException.of("the table of llama-bench is cut off in the middle of a row");
            }
            return runs.stream().map(RunBuilder::build).toList();
        }
    }
}
