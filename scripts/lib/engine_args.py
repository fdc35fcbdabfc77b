# SPDX-License-Identifier: Apache-2.0
"""Judges the arguments of drawn launches by an engine's own code: engine_args.py ENGINE SOURCE FOLDER import|table

Each folder below FOLDER has 'facts' and 'arguments' as scripts/check-engine-args writes them. Ends with 1 if one is
refused, or if a planted error is not.
"""

import ast
import collections
import importlib.abc
import importlib.machinery
import json
import os
import pathlib
import sys
import types

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
        sys.exit("engine_args: the table of options was not found in the source")
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
        sys.exit("engine_args: the table of options was not found in the source")
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


# --- vLLM's own parser and configuration.


class Constants(type):
    """A class with any constant."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return name


class Stub(types.ModuleType):
    """A module whose names are classes without function."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        from pydantic_core import core_schema

        members = {
            "__init__": lambda self, *words, **named: None,
            "__class_getitem__": classmethod(lambda cls, item: cls),
            "__get_pydantic_core_schema__": classmethod(lambda cls, source, handler: core_schema.any_schema()),
        }
        made = Constants(name, (), members)
        setattr(self, name, made)
        return made


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Libraries that Debian lacks, and what is compiled."""

    NAMES = {
        "openai_harmony", "mistral_common", "llguidance", "outlines_core", "depyf", "anthropic", "mcp", "cv2", "pynvml",
        "model_hosting_container_standards", "prometheus_fastapi_instrumentator", "lm_format_enforcer", "interegular",
        "fastsafetensors",
    }  # fmt: skip

    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in self.NAMES or name.startswith("vllm.vllm_flash_attn"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Stub(spec.name)

    def exec_module(self, module):
        pass


def vllm_parser():
    os.environ.update({"HF_HUB_OFFLINE": "1", "VLLM_LOGGING_LEVEL": "ERROR"})
    sys.path.insert(0, str(SOURCE))
    sys.meta_path.insert(0, Stubs())
    for name in ["_C", "_C_stable_libtorch", "_moe_C", "_moe_C_stable_libtorch", "cumem_allocator"]:
        sys.modules["vllm." + name] = Stub("vllm." + name)
    import torch

    # What compiled kernels say of a device: yes.
    known = torch._ops._OpNamespace.__getattr__

    def anything(self, name):
        try:
            return known(self, name)
        except AttributeError:
            if name.startswith("__") or not self.name.startswith(("_C", "_moe_C")):
                raise
            return lambda *words, **named: True

    torch._ops._OpNamespace.__getattr__ = anything
    torch.library.register_fake = lambda *words, **named: lambda function: function
    import vllm.platforms as platforms
    from vllm.platforms.cuda import NonNvmlCudaPlatform
    from vllm.platforms.interface import DeviceCapability

    class MadeUp(NonNvmlCudaPlatform):
        """Eight devices that do not exist."""

        capability = DeviceCapability(9, 0)

        @classmethod
        def get_device_capability(cls, device_id=0):
            return cls.capability

        @classmethod
        def get_device_name(cls, device_id=0):
            return "synthetic"

        @classmethod
        def get_device_total_memory(cls, device_id=0):
            return 80 << 30

        @classmethod
        def device_count(cls):
            return 8

        @classmethod
        def is_fully_connected(cls, ids):
            return True

        @classmethod
        def log_warnings(cls):
            pass

    platforms._current_platform = MadeUp()
    import vllm.model_executor.models.registry as registry
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.entrypoints.openai.cli_args import make_arg_parser, validate_parsed_serve_args
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    def inspect(self):
        values = dict.fromkeys(registry._ModelInfo.__dataclass_fields__, False)
        values.update(
            architecture=self.class_name, is_text_generation_model=True, supports_pp=True, attn_type="decoder",
            default_seq_pooling_type="LAST", default_tok_pooling_type="ALL", score_type="bi-encoder",
            supported_video_pruning_methods=(),
        )  # fmt: skip
        return registry._ModelInfo(**values)

    # A parser of reasoning looks for tokens of a tokenizer, which is missing here; its name is checked.
    AsyncEngineArgs._set_default_reasoning_config_args = lambda self: None
    # Else each model's module is imported, which takes compiled kernels.
    registry._LazyRegisteredModel.inspect_model_cls = inspect

    class Parser(FlexibleArgumentParser):
        def error(self, message):
            raise Refused(message)

    parser = make_arg_parser(Parser())

    def judge(words, capability):
        MadeUp.capability = DeviceCapability(*[int(part) for part in (capability or "9.0").split(".")])
        parsed = parser.parse_args(words)
        if parsed.model_tag:
            parsed.model = parsed.model_tag
        validate_parsed_serve_args(parsed)
        AsyncEngineArgs.from_cli_args(parsed).create_engine_config(headless=parsed.headless)

    return judge


def judge_in_silence(judge, words, capability):
    try:
        judge(words, capability)
        return None
    except (Exception, SystemExit) as refusal:  # noqa: BLE001
        lines = [line.strip() for line in str(refusal).splitlines() if line.strip()]
        return (lines[1] if len(lines) > 1 and "validation error" in lines[0] else lines[0] if lines else repr(refusal))[:200]


def main():
    if ENGINE == "vllm":
        judge = vllm_parser() if MODE == "import" else judge_by_table(vllm_table())
    else:
        judge = judge_by_table(sglang_table())
    print("judged by", "its own parser and configuration" if MODE == "import" else "its table of options")
    refusals, commands = collections.Counter(), 0
    examples = {}
    own = None
    for folder in sorted(FOLDER.iterdir(), key=lambda path: int(path.name)):
        facts = dict(line.split("\t") for line in (folder / "facts").read_text().splitlines())
        for file in sorted((folder / "arguments").iterdir()):
            words = file.read_text().rstrip("\n").split("\n")
            words = words[2:] if ENGINE == "vllm" else words[3:]
            at = 0 if ENGINE == "vllm" else words.index("--model-path") + 1
            model = words[at]
            (folder / "config.json").write_text(json.dumps(config(facts, model == facts["model"])))
            words[at] = str(folder)
            own = own or words
            commands += 1
            refused = judge_in_silence(judge, words, facts.get("capability"))
            if refused:
                refusals[refused] += 1
                examples.setdefault(refused, f"{facts['model']} in {facts['format']}: {' '.join(words)}")
    planted = [own + ["--no-such-option", "1"], own + ["--kv-cache-dtype", "no-such-type"]]
    if MODE == "import":
        folder = FOLDER.parent / "planted"
        folder.mkdir(exist_ok=True)
        facts = {"family": "llama", "format": "fp8", "tied": "0", "layers": "32", "hidden": "4096", "heads": "32",
                 "kvHeads": "8", "feedForward": "14336", "vocabulary": "128256", "context": "131072"}  # fmt: skip
        (folder / "config.json").write_text(json.dumps(config(facts, False)))
        planted += [[str(folder), "--quantization", "fp8"], [str(folder), "--nnodes", "2", "--data-parallel-backend", "ray"]]
    missed = [words for words in planted if not judge_in_silence(judge, words, "9.0")]
    for words in missed:
        print("planted error not refused:", " ".join(words))
    for refusal, count in refusals.most_common():
        print(f"{count}\t{refusal}\n\t{examples[refusal]}")
    print(f"{commands} commands, {sum(refusals.values())} refused; {len(planted) - len(missed)} of {len(planted)} planted errors refused")
    sys.exit(1 if refusals or missed else 0)


if __name__ == "__main__":
    main()
