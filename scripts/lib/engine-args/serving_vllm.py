# SPDX-License-Identifier: Apache-2.0
"""vLLM's own parser and AsyncEngineArgs.create_engine_config, with a synthetic CUDA platform."""

import os
import sys

import stubs

PACKAGES = (
    "openai_harmony mistral_common llguidance outlines_core depyf anthropic mcp cv2 pynvml model_hosting_container_standards "
    "prometheus_fastapi_instrumentator lm_format_enforcer interegular fastsafetensors"
).split()


def judge_of(source, refused):
    """Returns a function that raises what vLLM raises, or returns what its configuration came to."""
    os.environ.update({"HF_HUB_OFFLINE": "1", "VLLM_LOGGING_LEVEL": "ERROR"})
    sys.path.insert(0, str(source))
    sys.meta_path.insert(0, stubs.Stubs(PACKAGES, ("vllm.vllm_flash_attn",)))
    for name in ["_C", "_C_stable_libtorch", "_moe_C", "_moe_C_stable_libtorch", "cumem_allocator"]:
        sys.modules["vllm." + name] = stubs.Stub("vllm." + name)
    stubs.allow_kernels(("_C", "_moe_C"))
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
    has_ray = any(line.startswith("ray") for line in (source / "requirements/cuda.txt").read_text().splitlines())

    class Parser(FlexibleArgumentParser):
        def error(self, message):
            raise refused(message)

    parser = make_arg_parser(Parser())

    def judge(words, capability):
        MadeUp.capability = DeviceCapability(*capability)
        parsed = parser.parse_args(words)
        if parsed.model_tag:
            parsed.model = parsed.model_tag
        validate_parsed_serve_args(parsed)
        if "ray" in (parsed.distributed_executor_backend, parsed.data_parallel_backend) and not has_ray:
            raise refused("Ray, which the image of this release lacks (requirements/cuda.txt)")
        config = AsyncEngineArgs.from_cli_args(parsed).create_engine_config(headless=parsed.headless)
        speculative, transfer = config.speculative_config, config.kv_transfer_config
        return {
            "quantization": config.model_config.quantization,
            "context": config.model_config.max_model_len,
            "tensor": config.parallel_config.tensor_parallel_size,
            "stages": config.parallel_config.pipeline_parallel_size,
            "draft": speculative.num_speculative_tokens if speculative else 0,
            "kv": config.cache_config.cache_dtype,
            "prefill": transfer.kv_connector if transfer else None,
        }

    return judge
