// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import dev.muster.model.ModelSummary;
import java.util.List;

/// A note on the basis of an answer: an omission, an assumption or a choice. Immutable.
///
/// @param topic the topic
/// @param values the values that it is about, in the order that the topic lists
/// @since 0.1
public record PlanNote(Topic topic, List<Object> values) {
    /// Copies the list.
    public PlanNote {
        values = List.copyOf(values);
    }

    /// Returns a note.
    public static PlanNote of(Topic topic, Object... values) {
        return new PlanNote(topic, List.of(values));
    }

    /// Returns the notes on a model.
    public static List<PlanNote> of(ModelSummary model) {
        return model.isFineTune() ? List.of(of(Topic.FINE_TUNE, model.source(), model.name())) : List.of();
    }

    /// Returns the kind of note.
    public NoteKind kind() {
        return topic.kind;
    }

    /// The kinds of notes.
    public enum NoteKind {
        /// A device that was not used.
        LEFT_OUT,
        /// An assumption about an unknown fact.
        ASSUMED,
        /// A choice among several ways.
        CHOSEN,
        /// A part of the answer that deserves attention.
        WARNING
    }

    /// The topics.
    public enum Topic {
        /// A device that may not be used. Values: the excluded device.
        EXCLUDED_DEVICE(NoteKind.LEFT_OUT),
        /// A device whose figures are unknown. Values: its id, its name, the list of missing figures.
        INCOMPLETE_DEVICE(NoteKind.LEFT_OUT),
        /// Devices on which no framework was measured. Values: their name.
        NO_FRAMEWORK(NoteKind.LEFT_OUT),
        /// Recorded requests without an answer. Values: their number.
        FAILED_REQUESTS(NoteKind.LEFT_OUT),
        /// Devices whose figures were derived. Values: their name.
        DERIVED_FIGURES(NoteKind.ASSUMED),
        /// A device whose missing figures are those of its nearest relative. Values: its id, the name of the relative.
        RELATIVE_FIGURES(NoteKind.ASSUMED),
        /// The rate of a host's memory. Values: bytes per second, and the id of the processor if it is the device.
        HOST_MEMORY_RATE(NoteKind.ASSUMED),
        /// The network between hosts. Values: bytes per second for each device.
        NETWORK(NoteKind.ASSUMED),
        /// An engine that was not measured on devices. Values: the name of the devices, the engine.
        UNMEASURED_ENGINE(NoteKind.ASSUMED),
        /// Devices of which only a name is known. Values: the name, the name of the form with the least memory.
        LEAST_FORM(NoteKind.ASSUMED),
        /// The time between client and engine. Values: seconds of a request, seconds more for each user.
        CLIENT_DELAY(NoteKind.ASSUMED),
        /// The KV cache of cached prefixes, which is counted for each sequence. No values.
        CACHED_PREFIXES(NoteKind.ASSUMED),
        /// Speculative decoding. Values: the tokens of a sequence for each step.
        SPECULATION(NoteKind.ASSUMED),
        /// The first token of a request whose decode is disaggregated. No values.
        DECODE_FIRST_TOKEN(NoteKind.ASSUMED),
        /// Recorded times that stand for several requests. Values: their number, the number of requests.
        COARSE_TIMES(NoteKind.ASSUMED),
        /// The best of several weight formats. Values: the list of formats, the best, the goal.
        BEST_FORMAT(NoteKind.CHOSEN),
        /// A weight format that fits on both of two machines. Values: the requested one, the format.
        COMMON_FORMAT(NoteKind.CHOSEN),
        /// As many sequences as fit. Values: their number, the tokens of each.
        MOST_SEQUENCES(NoteKind.CHOSEN),
        /// One kind of servers in place of disaggregated prefill and decode. Values: the launch target.
        NOT_DISAGGREGATED(NoteKind.CHOSEN),
        /// llama.cpp in place of an engine that does not run on devices. Values: the engine, the name of the devices.
        LLAMA_CPP(NoteKind.CHOSEN),
        /// A weight format in place of the published one. Values: the published one, the engine, the name of the
        /// devices, the format.
        CONVERTED_FORMAT(NoteKind.CHOSEN),
        /// fp16 in place of bf16. Values: the name of the devices, the engine.
        FP16_FORMAT(NoteKind.CHOSEN),
        /// Other devices that are worse for the goal. Values: their number, their name.
        WORSE_DEVICES(NoteKind.CHOSEN),
        /// Idle devices beside a training. Values: their number, their name.
        IDLE_DEVICES(NoteKind.CHOSEN),
        /// Memory that stays free for errors of the predicted peak. Values: the share that is planned with, the
        /// accepted probability that a run exceeds the device.
        FREE_MEMORY(NoteKind.CHOSEN),
        /// A plan that may exceed the device. Values: the usual probability, that of the plan.
        NO_ROOM(NoteKind.ASSUMED),
        /// Emitted training in fp16. Values: the name of the devices.
        FP16_TRAINING(NoteKind.CHOSEN),
        /// Measured collectives. Values: the measurement.
        MEASURED_COLLECTIVES(NoteKind.CHOSEN),
        /// The scheduler of an engine. Values: its name, the first release with it, the treatment of prompts, whether
        /// they are chunked, the tokens of a step, the sequences, the source.
        SCHEDULER(NoteKind.CHOSEN),
        /// Predictions corrected by measured runs. Values: the number of runs, the source, the tool and the day of the
        /// newest, whether the deployment is the same, the factor of TPOT, the factor of TTFT.
        CORRECTED_LATENCY(NoteKind.CHOSEN),
        /// Predictions corrected by measured runs. Values: as of `CORRECTED_LATENCY`, with the factor of the speed.
        CORRECTED_SPEED(NoteKind.CHOSEN),
        /// A model of which only the name is known. Values: its name, the model that it is named after.
        FINE_TUNE(NoteKind.ASSUMED),
        /// More tokens than a model is made for. Values: its name, its tokens, the tokens asked for.
        LONG_CONTEXT(NoteKind.WARNING),
        /// Devices without a plan. Values: their name, the shortfall.
        UNPLANNED_DEVICES(NoteKind.WARNING),
        /// Offloading from a device without memory of its own. Values: its name.
        NO_OWN_MEMORY(NoteKind.WARNING),
        /// Offloading to a host of unknown memory. No values.
        UNKNOWN_HOST_MEMORY(NoteKind.WARNING),
        /// A batch that does not divide among devices. Values: the batch, the devices, a batch that does, the devices
        /// that work with it, those that work now, the share of time that it saves for each token.
        UNEVEN_BATCH(NoteKind.WARNING),
        /// A replica over several NVLink domains. Values: its hosts, the domains.
        SPREAD_REPLICA(NoteKind.WARNING);

        private final NoteKind kind;

        Topic(NoteKind kind) {
            this.kind = kind;
        }
    }
}
