// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A fact that templates can use. An unknown fact of a plan is absent, and an option that needs it is left out.
enum LaunchFact {
    /// `serving` or `training`.
    PURPOSE,
    /// The model as a program loads it: a repository, a folder or a file.
    MODEL,
    /// The model's own repository, if another one has it in the planned format.
    BASE,
    /// The origin of the planned weights: `whole` as published in 16 or 32 bits, `quantized` as published, `made` by
    /// the engine while it loads, `given` by the user of the launch.
    CHECKPOINT,
    /// The model, if it is a GGUF file.
    MODEL_FILE,
    /// The weight format, such as `bf16`.
    FORMAT,
    /// 1 if that format is one of GGUF alone, else 0.
    GGUF,
    /// `both`, or, where prefill and decode are disaggregated, `prefill`, `decode` or `router`.
    ROLE,
    /// Replicas that prefill for others.
    PREFILL_REPLICAS,
    /// Ports of their servers on each host, with blanks between.
    PREFILL_PORTS,
    /// Ports of the servers for decode on each host, with blanks between.
    DECODE_PORTS,
    /// 1 if one host has the servers of both roles.
    SAME_HOST,
    /// The number of the first device on its host that a role takes.
    FIRST_DEVICE,
    /// The first port of a role's servers.
    FIRST_PORT,
    /// A port on which a server for prefill and one for decode meet.
    SIDE_PORT,
    /// The options of the engine, as words of a shell.
    OPTIONS,
    /// The options of the servers for prefill.
    PREFILL_OPTIONS,
    /// The [LaunchTarget] that the plan was made for, by its label.
    ENGINE,
    /// The display name of the engine.
    ENGINE_NAME,
    /// The release of the started program, such as `0.27.1`: one that supports the model and the devices.
    RELEASE,
    /// The family of the devices, such as `nvidia-hbm`.
    FAMILY,
    /// The display name of the device.
    DEVICE,
    /// The device's name in the catalogue, if it is a device of one kind.
    DEVICE_ID,
    /// Bytes that the plan takes of its fullest device.
    NEEDED_BYTES,
    /// The same in whole MiB.
    NEEDED_MEBIBYTES,
    /// The number of probes, one every ten seconds, until a server has to answer: while it loads the weights, or
    /// fetches
    /// them.
    STARTUP_TRIES,
    /// The CUDA compute capability of the devices, such as `8.9`; absent for others.
    CAPABILITY,
    /// Its first number.
    CAPABILITY_MAJOR,
    /// Its second number.
    CAPABILITY_MINOR,
    /// The task of a model that does not chat, such as `embedding`; absent for those that do.
    TASK,
    /// Width of images in pixels.
    WIDTH,
    /// Height of images in pixels.
    HEIGHT,
    /// Frames of a video.
    FRAMES,
    /// Steps of a diffusion model.
    DENOISING_STEPS,
    /// Hosts of the plan.
    HOSTS,
    /// Devices of each host.
    DEVICES_PER_HOST,
    /// Tensor parallel degree.
    TENSOR,
    /// Tensor parallel degree over the cores of Neuron devices, which vLLM counts there; absent for others.
    CORE_TENSOR,
    /// Blocks of 32 tokens of the KV cache, where an engine does not count them by itself.
    CACHE_BLOCKS,
    /// Pipeline stages.
    STAGES,
    /// Expert parallel degree.
    EXPERT,
    /// Attention data parallel degree: groups with sequences of their own that share experts.
    ATTENTION_REPLICAS,
    /// Those of them on each host of a replica on several hosts, if they divide.
    ATTENTION_PER_HOST,
    /// Replicas of the model; in training, data parallel ones.
    REPLICAS,
    /// Experts of a layer; 0 in a model without.
    EXPERTS,
    /// Active experts of each token.
    ACTIVE_EXPERTS,
    /// The longest sequence that is admitted, prompt and answer together.
    CONTEXT,
    /// Tokens of a planned sequence, if longer ones are admitted.
    PLANNED_CONTEXT,
    /// Largest number of running sequences of one replica.
    SEQUENCES,
    /// Largest number of running sequences of each group of a replica.
    SEQUENCES_EACH,
    /// Token budget of a step, if a plan states one.
    TOKEN_BUDGET,
    /// Tokens of all sequences of a replica together.
    TOTAL_CONTEXT,
    /// Bits of a number in the KV cache, if they were requested or the engine has no others for the model.
    KV_DTYPE,
    /// `yes` if the model brings code that the engine runs.
    TRUST_REMOTE_CODE,
    /// The engine's mode for the model's tokenizer.
    TOKENIZER_MODE,
    /// The engine's parser of the model's tool calls.
    TOOL_PARSER,
    /// The engine's parser of the model's reasoning.
    REASONING_PARSER,
    /// The engine's method for the drafting layers (multi-token prediction) of the checkpoint; absent without.
    MTP,
    /// Draft tokens of each step in speculative decoding; absent without.
    DRAFT_TOKENS,
    /// Draft tokens and the one that is verified with them.
    DRAFT_ROWS,
    /// Share of a device's memory for the engine.
    MEMORY_FRACTION,
    /// Share of a device's memory for weights and KV cache together.
    STATIC_FRACTION,
    /// GiB of all weights.
    WEIGHTS,
    /// GiB of weights on each device.
    WEIGHTS_EACH,
    /// GiB of 16-bit weights on each device before they are converted to a smaller format, if that exceeds its
    /// memory.
    LOAD_EACH,
    /// GiB of KV cache on each device.
    CACHE_EACH,
    /// Layers of the model.
    LAYERS,
    /// Layers, and the output as one more.
    OFFLOADED_LAYERS,
    /// Layers that stay in the memory of the host; absent if none does.
    HOST_LAYERS,
    /// Layers whose experts stay in the memory of the host; absent if none do.
    HOST_EXPERTS,
    /// Layers of each device of a replica, if they are not equal, such as `30,7`.
    UNEQUAL_SHARES,
    /// Width of the model.
    HIDDEN,
    /// Attention heads.
    HEADS,
    /// KV heads.
    KV_HEADS,
    /// Width of the feed-forward blocks.
    FEED_FORWARD,
    /// Head size (Megatron's kv-channels).
    HEAD_SIZE,
    /// Rank of the compressed KV cache; absent without latent attention.
    KV_RANK,
    /// Rank of the compressed queries.
    QUERY_RANK,
    /// Width of a head's unrotated part.
    PLAIN_HEAD_SIZE,
    /// Width of a head's rotated part.
    ROPE_HEAD_SIZE,
    /// Width of a head's values.
    VALUE_HEAD_SIZE,
    /// Inner width of one expert.
    EXPERT_SIZE,
    /// Inner width of all shared experts together.
    SHARED_SIZE,
    /// Layers with experts, as a Python list, if not all have them.
    EXPERT_LAYERS,
    /// Layers that keep a state.
    STATE_LAYERS,
    /// A letter for each layer of a hybrid of Mamba-2, with a bar behind each stage.
    HYBRID_PATTERN,
    /// Heads of a layer that keeps a state.
    STATE_HEADS,
    /// Groups of those heads.
    STATE_GROUPS,
    /// Width of a state's keys.
    STATE_KEY_SIZE,
    /// Width of a state's values.
    STATE_VALUE_SIZE,
    /// Activation of feed-forward blocks, such as `swiglu`; known for some families, as are the following.
    ACTIVATION,
    /// `rms` or `layer`.
    NORMALIZATION,
    /// 1 if matrix products have a bias, else 0.
    LINEAR_BIAS,
    /// 1 if queries, keys and values have a bias, else 0.
    QKV_BIAS,
    /// 1 if queries and keys are normalised, else 0.
    QK_NORM,
    /// `rope`, `learned` or `none`.
    POSITIONS,
    /// The base of rotated positions.
    ROPE_BASE,
    /// Scaling factor of rotated positions; absent if they are not scaled.
    ROPE_SCALING,
    /// Scoring function of experts: `sigmoid`; absent for softmax.
    ROUTER,
    /// 1 if the softmax of the router goes over all experts, not over the chosen ones alone.
    PRE_SOFTMAX,
    /// Groups of experts among which the router chooses first; known for some models, as are the following.
    ROUTER_GROUPS,
    /// Groups that it chooses.
    CHOSEN_GROUPS,
    /// Factor of the weights that it gives to experts.
    ROUTER_SCALING,
    /// Factor by which YaRN stretches rotated positions.
    YARN_SCALING,
    /// The scale of attention with it.
    MSCALE,
    /// 1 if input and output embedding are the same, else 0.
    TIED,
    /// Training method: `full`, `lora` or `qlora`.
    METHOD,
    /// Tokens of a training sequence.
    SEQUENCE,
    /// Sequences of one forward pass.
    MICRO_BATCH,
    /// Sequences of one step of the optimizer.
    GLOBAL_BATCH,
    /// Forward passes of each replica in one step of the optimizer.
    ACCUMULATION,
    /// Context parallel degree.
    CONTEXT_PARALLEL,
    /// Virtual stages of each stage.
    VIRTUAL_STAGES,
    /// Layers of each virtual stage.
    LAYERS_PER_VIRTUAL_STAGE,
    /// Layers of each stage, if they do not divide: `E` the embedding, `t` a layer, `L` head and loss.
    STAGE_LAYERS,
    /// Neighbours: `replicas-first` or `stages-first`.
    ORDER,
    /// ZeRO stage: 0 none, 1 optimizer states, 2 also gradients, 3 also weights.
    ZERO_STAGE,
    /// Offloaded states in training: `optimizer` or `all`; absent if there are none.
    OFFLOAD,
    /// Place of offloaded states: `cpu` or `nvme`.
    OFFLOAD_DEVICE,
    /// Recomputation in the backward pass: `none`, `selective` or `full`.
    RECOMPUTE,
    /// Format of matrix products: `bf16`, `fp16`, `fp8` or `fp32`.
    PRECISION,
    /// The training program; `train.py` unless given.
    SCRIPT,
    /// The wrapper: `none`, or the label of a target that starts others.
    WRAPPER,
    /// Devices of one replica; in training, all of them.
    REPLICA_DEVICES,
    /// Hosts of one replica.
    HOSTS_PER_REPLICA,
    /// Replicas on each host.
    REPLICAS_PER_HOST,
    /// Hosts that start together.
    HOSTS_TOGETHER,
    /// Devices in use on each host.
    DEVICES_USED_PER_HOST,
    /// Devices that start together.
    DEVICES_TOGETHER,
    /// Number of starts of the whole: one for each replica with hosts of its own.
    GROUPS,
    /// The number of the last of them, from 0.
    LAST_GROUP,
    /// Equal shares, one for each device of a replica, such as `1,1`.
    SHARES,
    /// Port of a replica.
    PORT,
    /// The number of a host, from 0.
    HOST,
    /// Devices visible to one replica, such as `0,1`.
    VISIBLE,
    /// The planned devices of a host, by number or UUID with commas between; absent if they are all devices of the
    /// host, in order.
    DEVICE_NAMES,
    /// A job name that clusters accept, derived from the model's.
    JOB,
    /// The planned hosts, by name with commas between; absent if any will do.
    NODES,
    /// The Slurm partition of the hosts; absent for the default one.
    PARTITION,
    /// The Slurm reservation of the hosts.
    RESERVATION,
    /// The keys of taints that the hosts have and the plan tolerates, with commas between.
    TOLERATIONS,
    /// 1 if others use the rest of the hosts' devices; absent if the plan takes whole hosts.
    SHARED,
    /// The Kubernetes resource of the device.
    RESOURCE,
    /// The container image of the engine.
    IMAGE,
    /// 1 if the launch has a file of settings beside the options.
    SETTINGS,
    /// The shell script that each host runs.
    LAUNCH;

    private final String label;

    LaunchFact() {
        StringBuilder camel = new StringBuilder();
        for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
            camel.append(camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        this.label = camel.toString();
    }

    /// Returns the name in templates, such as `devicesPerHost`.
    public String label() {
        return label;
    }

    static Optional<LaunchFact> find(String label) {
        return Arrays.stream(values()).filter(fact -> fact.label.equals(label)).findFirst();
    }
}
