# SPDX-License-Identifier: Apache-2.0
"""Judges the arguments of drawn launches by an engine's own code: serving.py ENGINE SOURCE FOLDER import|table

Each folder below FOLDER has 'facts' and 'arguments' as scripts/check-engine-args writes them. Ends with 1 if one is
refused, or if a planted error is not.
"""

import ast
import collections
import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import traceback

ENGINE, SOURCE, FOLDER, MODE = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]

ARCHITECTURES = {
    "llama": "LlamaForCausalLM",
    "mistral": "MistralForCausalLM",
    "mixtral": "MixtralForCausalLM",
    "qwen2": "Qwen2ForCausalLM",
    "qwen3": "Qwen3ForCausalLM",
    "qwen3_moe": "Qwen3MoeForCausalLM",
    "deepseek_v3": "DeepseekV3ForCausalLM",
    "gpt_oss": "GptOssForCausalLM",
    "glm4_moe": "Glm4MoeForCausalLM",
    "minimax_m2": "MiniMaxM2ForCausalLM",
}
NAMES = {
    "layers": ["num_hidden_layers"],
    "hidden": ["hidden_size"],
    "heads": ["num_attention_heads"],
    "kvHeads": ["num_key_value_heads"],
    "headSize": ["head_dim"],
    "feedForward": ["intermediate_size"],
    "vocabulary": ["vocab_size"],
    "experts": ["num_experts", "num_local_experts", "n_routed_experts"],
    "expertSize": ["moe_intermediate_size"],
    "context": ["max_position_embeddings"],
}
BLOCK = {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [128, 128]}
TENSORS = {
    "quant_method": "compressed-tensors",
    "format": "float-quantized",
    "config_groups": {
        "group_0": {
            "targets": ["Linear"],
            "weights": {"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": True, "dynamic": False},
            "input_activations": {"num_bits": 8, "type": "float", "strategy": "token", "symmetric": True, "dynamic": True},
        }
    },
}
PACKED = {
    "quant_method": "compressed-tensors",
    "format": "pack-quantized",
    "config_groups": {
        "group_0": {
            "targets": ["Linear"],
            "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 32, "symmetric": True},
        }
    },
}
QUANTIZATION = {
    "fp8": TENSORS,
    "fp8-block": BLOCK,
    "mxfp4": {"quant_method": "mxfp4"},
    "awq-int4": {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True, "version": "gemm"},
    "gptq-int4": {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": False, "sym": True},
    "nf4": {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"},
    "nvfp4": {
        "quant_method": "modelopt",
        "quant_algo": "NVFP4",
        "producer": {"name": "modelopt"},
        "ignore": [],
        "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "group_size": 16}}},
    },
    "int8": {
        "quant_method": "compressed-tensors",
        "format": "int-quantized",
        "config_groups": {
            "group_0": {
                "targets": ["Linear"],
                "weights": {"num_bits": 8, "type": "int", "strategy": "channel", "symmetric": True, "dynamic": False},
                "input_activations": {"num_bits": 8, "type": "int", "strategy": "token", "symmetric": True, "dynamic": True},
            }
        },
    },
}
# Families whose repositories bring code of their own, and families whose models call tools.
OWN_CODE = {"minimax_m2"}
CALLS_TOOLS = {"qwen3", "qwen3_moe", "gpt_oss", "glm4_moe", "minimax_m2"}
# How the model's own repository states what it publishes.
PUBLISHED = {"fp8": BLOCK, "mxfp4": {"quant_method": "mxfp4"}, "awq": PACKED}


class Refused(Exception):
    """An engine refused arguments."""


def config(facts, loads_own):
    values = {"model_type": facts["family"], "architectures": [ARCHITECTURES[facts["family"]]], "torch_dtype": "bfloat16"}
    for fact, names in NAMES.items():
        if fact in facts:
            values.update({name: int(facts[fact]) for name in names})
    values["tie_word_embeddings"] = facts["tied"] == "1"
    if loads_own:
        quantization = PUBLISHED.get(facts["published"])
    else:
        quantization = QUANTIZATION.get(facts["format"])
    if quantization:
        values["quantization_config"] = quantization
    return values


# --- The engine's table of options, read from its source.


def literal(node):
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def vllm_table():
    """Options by name, with choices where they are literal and True if they take no value."""
    options = {}
    for name in ["engine/arg_utils.py", "entrypoints/openai/cli_args.py"]:
        for node in ast.walk(ast.parse((SOURCE / "vllm" / name).read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
                for argument in node.args:
                    if isinstance(literal(argument), str) and literal(argument).startswith("-"):
                        options[literal(argument)] = None
    for node in ast.walk(ast.parse((SOURCE / "vllm/entrypoints/openai/cli_args.py").read_text())):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            options["--" + node.target.id.replace("_", "-")] = None
    literals = {}
    for name in ["config/cache.py", "config/model.py", "config/parallel.py", "model_executor/layers/quantization/__init__.py"]:
        for node in ast.walk(ast.parse((SOURCE / "vllm" / name).read_text())):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
                if getattr(node.value.value, "id", "") == "Literal":
                    literals[node.targets[0].id] = literal(node.value.slice)
    for option, kind in [
        ("--kv-cache-dtype", "CacheDType"),
        ("--dtype", "ModelDType"),
        ("--quantization", "QuantizationMethods"),
        ("--data-parallel-backend", "DataParallelBackend"),
    ]:
        options[option] = literals.get(kind)
    if not options.get("--kv-cache-dtype") or "--nnodes" not in options:
        sys.exit("serving: the table of options was not found in the source")
    return options


def sglang_table():
    options = {}
    tree = ast.parse((SOURCE / "python/sglang/srt/server_args.py").read_text())
    fields = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "ServerArgs")
    for field in fields.body:
        if not isinstance(field, ast.AnnAssign):
            continue
        names, choices = ["--" + field.target.id.replace("_", "-")], None
        for call in ast.walk(field.annotation):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Arg":
                for keyword in call.keywords:
                    if keyword.arg == "aliases":
                        names += literal(keyword.value) or []
                    if keyword.arg == "cli_name" and literal(keyword.value):
                        names.append(literal(keyword.value))
                    if keyword.arg == "choices":
                        choices = literal(keyword.value)
        options.update({name: choices for name in names})
    if "--tp-size" not in options or not options["--kv-cache-dtype"]:
        sys.exit("serving: the table of options was not found in the source")
    return options


def judge_by_table(options):
    def judge(words, _config):
        for at, word in enumerate(words):
            if word.startswith("--"):
                name, _, given = word.partition("=")
                name = name.split(".")[0]
                if name not in options:
                    raise Refused(f"unrecognized argument {name}")
                value = given or (words[at + 1] if at + 1 < len(words) else "")
                if options[name] and value not in [str(choice) for choice in options[name]]:
                    raise Refused(f"argument {name}: invalid choice {value}")

    return judge


# --- The binary of llama.cpp.


def llama_cpp():
    """Starts llama-server on a file that is not there: what it says of its arguments comes before."""
    program = shutil.which("llama-server")
    if not program:
        sys.exit("serving: llama-server is missing")

    def judge(words, _capability):
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120, check=False)
        said = done.stderr + done.stdout
        problem = re.search(r"error(?: while handling argument|:) .*", said)
        if "argument" in said and problem:
            raise Refused(problem.group(0))
        if "load model" not in said:
            raise Refused(said.strip()[-300:] or f"it ended with {done.returncode}")
        return {}

    return judge


# --- The plan.

# How engines call the checkpoints of a format; of others, the engine is told nothing.
LOADED = {
    "bf16": {None}, "fp16": {None}, "fp8": {"fp8", "compressed-tensors", "modelopt", "w8a8_fp8"},
    "fp8-block": {"fp8", "fp8_per_block", "compressed-tensors", "deepseek_v4_fp8"}, "mxfp4": {"mxfp4", "gpt_oss_mxfp4"},
    "awq-int4": {"awq", "awq_marlin", "auto_awq", "compressed-tensors"}, "gptq-int4": {"gptq", "gptq_marlin", "auto_gptq"},
    "nf4": {"bitsandbytes"}, "nvfp4": {"modelopt", "modelopt_fp4", "modelopt_mixed", "compressed-tensors"},
    "int8": {"compressed-tensors", "w8a8_int8"},
}  # fmt: skip


def hold_to_plan(settled, facts, words):
    """Raises where an engine would run something else than was planned."""

    def same(name, planned):
        if name in settled and str(settled[name]) != str(planned):
            raise Refused(f"{name} is {settled[name]}, and {planned} was planned")

    if ENGINE in ("vllm", "sglang") and settled["quantization"] not in LOADED[facts["format"]]:
        raise Refused(f"it loads {settled['quantization']} weights, and {facts['format']} was planned")
    same("context", facts["admitted"])
    same("stages", facts["stages"])
    # Devices of attention ranks count among those of SGLang and TensorRT-LLM.
    same("tensor", facts["tensor"] if ENGINE == "vllm" else int(facts["tensor"]) * int(facts["attention"]))
    same("draft", facts["draft"])
    if "disaggregated" in facts and (settled["prefill"] in (None, "null")) == (facts["disaggregated"] == "1"):
        raise Refused(f"prefill and decode are {settled['prefill']}, which was not planned")
    if facts["kv"] == "0" and "kv" in settled and settled["kv"] not in ("auto", "bfloat16", "float16"):
        raise Refused(f"the KV cache is {settled['kv']}, which was not asked for")
    if ENGINE in ("vllm", "sglang") and facts["family"] in OWN_CODE and "--trust-remote-code" not in words:
        raise Refused("code of the model's own is not trusted")
    calls_tools = facts["family"] in CALLS_TOOLS and "DeepSeek" not in facts["model"]
    if ENGINE in ("vllm", "sglang") and calls_tools and "--tool-call-parser" not in words:
        raise Refused("no parser of tool calls")


def judge_in_silence(judge, words, facts):
    """Returns why arguments are refused, or None."""
    capability = tuple(int(part) for part in facts.get("capability", "9.0").split("."))
    try:
        settled = judge(list(words), capability)
        if settled is not None and "format" in facts:
            hold_to_plan(settled, facts, words)
        return None
    except (Exception, SystemExit) as refusal:  # noqa: BLE001
        if os.environ.get("MUSTER_TRACE"):
            traceback.print_exc()
        lines = [line.strip() for line in str(refusal).splitlines() if line.strip()]
        return (" ".join(lines[1:3]) if "validation error" in "".join(lines[:1]) else lines[0] if lines else repr(refusal))[:200]


def model_of(words, facts, folder):
    """Puts a folder with a config.json in place of the model, and returns the words."""
    if ENGINE == "llama.cpp":
        words[words.index("--model") + 1] = str(folder / "no.gguf")
        return words
    at = words.index("--model-path") + 1 if ENGINE == "sglang" else 0
    loads_own = words[at] == facts["model"]
    (folder / "config.json").write_text(json.dumps(config(facts, loads_own)))
    words[at] = str(folder)
    if ENGINE == "tensorrt-llm" and "--extra_llm_api_options" in words:
        at = words.index("--extra_llm_api_options") + 1
        words[at] = str(folder / words[at])
    if "--speculative-config.model" in words or "--speculative-draft-model-path" in words:
        option = "--speculative-config.model" if ENGINE == "vllm" else "--speculative-draft-model-path"
        words[words.index(option) + 1] = str(folder)
    return words


LLAMA = {
    "model": "of/the-example", "family": "llama", "published": "", "format": "fp8", "tied": "0", "layers": "32", "hidden": "4096",
    "heads": "32", "kvHeads": "8", "feedForward": "14336", "vocabulary": "128256", "context": "131072", "admitted": "131072",
    "stages": "1", "tensor": "1", "attention": "1", "draft": "0", "kv": "0",
}  # fmt: skip


def planted(own, place):
    """Returns arguments that have to be refused, with what was planned: the errors that a launch once had."""
    if ENGINE == "llama.cpp":
        return [(own + ["--no-such-option", "1"], {}), (own + ["--cache-type-k", "no-such-type"], {})]
    if ENGINE == "tensorrt-llm":
        place.mkdir(exist_ok=True)
        (place / "config.json").write_text(json.dumps(config(LLAMA, False)))
        (place / "bad.yaml").write_text("no_such_setting: 1\n")
        words = [str(place), "--max_seq_len", "131072"]
        return [
            (words + ["--no_such_option", "1"], LLAMA),
            (words + ["--extra_llm_api_options", str(place / "bad.yaml")], LLAMA),
            (words + ["--tp_size", "two"], LLAMA),
            ([str(place), "--max_seq_len", "1280"], LLAMA),
            (words, LLAMA | {"draft": "3"}),
        ]
    start = ["--model-path"] if ENGINE == "sglang" else []
    length = "--context-length" if ENGINE == "sglang" else "--max-model-len"
    kv = "fp8_e4m3" if ENGINE == "sglang" else "fp8"

    def made(name, facts, loads_own, *words):
        folder = place / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config(facts, loads_own)))
        longest = [] if length in words else [length, "131072"]
        return [*start, str(folder), *longest, *words], facts

    whole, oss = LLAMA | {"format": "bf16"}, LLAMA | {"family": "gpt_oss", "format": "mxfp4", "experts": "32"}
    errors = [
        made("unknown option", whole, True, "--no-such-option", "1"),
        made("unknown type", whole, True, "--kv-cache-dtype", "no-such-type"),
        made("base repository for int4", LLAMA | {"format": "awq-int4"}, True),
        made("base repository for nvfp4", LLAMA | {"format": "nvfp4"}, True),
        made("base repository for int8", LLAMA | {"format": "int8"}, True),
        made("fp8 over compressed-tensors", LLAMA, False, "--quantization", "fp8"),
        made("no speculation", whole | {"draft": "3"}, True),
        made("prefill and decode together", whole | {"disaggregated": "1"}, True),
        made("input and output alone", whole, True, length, "1280"),
        made("code not trusted", whole | {"family": "minimax_m2", "experts": "8", "expertSize": "1536"}, True),
        made("KV cache in 8 bits", whole, True, "--kv-cache-dtype", kv),
    ]
    if ENGINE == "sglang":
        errors.append(made("fp8 over mxfp4", oss, False, "--quantization", "fp8"))
    else:
        errors += [
            made("Ray with nodes", whole, True, "--nnodes", "2", "--data-parallel-backend", "ray"),
            made("Ray", whole, True, "--distributed-executor-backend", "ray"),
        ]
    return errors


def main():
    table = MODE == "table"
    if ENGINE == "llama.cpp":
        judge = llama_cpp()
    elif table:
        judge = judge_by_table(vllm_table() if ENGINE == "vllm" else sglang_table())
    else:
        judge = importlib.import_module("serving_" + ENGINE.replace("-", "_")).judge_of(SOURCE, Refused)
    print("judged by", "its table of options" if table else "its own parser and configuration")
    refusals, commands = collections.Counter(), 0
    examples = {}
    own = None
    for folder in sorted(FOLDER.iterdir(), key=lambda path: int(path.name)):
        facts = dict(line.split("\t") for line in (folder / "facts").read_text().splitlines())
        for file in sorted((folder / "arguments").iterdir()):
            words = file.read_text().rstrip("\n").split("\n")
            words = model_of(words[{"vllm": 2, "sglang": 3}.get(ENGINE, 1) :], facts, folder)
            own = own or words
            commands += 1
            refused = judge_in_silence(judge, words, facts)
            if refused:
                refusals[refused] += 1
                examples.setdefault(refused, f"{facts['model']} in {facts['format']}: {' '.join(words)}")
    errors = [(own + ["--no-such-option", "1"], {}), (own + ["--kv-cache-dtype", "no-such-type"], {})]
    if not table:
        errors = planted(own, FOLDER.parent / "planted")
    caught = [(words, judge_in_silence(judge, words, facts)) for words, facts in errors]
    for words, refusal in caught:
        print(f"planted, {'refused: ' + refusal if refusal else 'not refused'}: {' '.join(words)}")
    missed = sum(refusal is None for _, refusal in caught)
    for refusal, count in refusals.most_common():
        print(f"{count}\t{refusal}\n\t{examples[refusal]}")
    print(
        f"{commands} commands, {sum(refusals.values())} refused; "
        f"{len(errors) - missed} of {len(errors)} planted errors refused"
    )
    sys.exit(1 if refusals or missed else 0)


if __name__ == "__main__":
    main()
