# SPDX-License-Identifier: Apache-2.0
"""TensorRT-LLM's own command line (trtllm-serve), its settings file and TorchLlmArgs, with stubs for what is compiled."""

import enum
import sys
import types

import stubs

PACKAGES = (
    "triton pynvml flashinfer cuda openai_harmony tensorrt tensorrt_bindings onnx polygraphy nvtx h5py onnx_graphsurgeon "
    "optimum modelopt etcd3 colored diffusers peft deep_gemm blobfile datasets torch_tensorrt xgrammar llguidance"
).split()
MODULES = tuple(
    "tensorrt_llm." + name
    for name in (
        "bindings deep_gemm deep_ep flash_mla models.automodel models.modeling_utils functional network graph_rewriting "
        "_tensorrt_engine plugin"
    ).split()
)


def judge_of(source, refused):
    """Returns a function that raises what TensorRT-LLM raises, or returns what its settings came to."""
    sys.path.insert(0, str(source))
    stubs.load_libraries()
    sys.meta_path.insert(0, stubs.Stubs(PACKAGES, MODULES))
    stubs.pretend_gpu()
    stubs.allow_libraries()
    stubs.allow_kernels(("trtllm",))
    # Debian has no strenum, which Python has in enum by now.
    sys.modules["strenum"] = types.SimpleNamespace(StrEnum=enum.StrEnum)
    here = source / "tensorrt_llm"
    top = stubs.package("tensorrt_llm", here)
    for name in "llmapi models _torch serve inputs executor runtime quantization".split():
        setattr(top, name, stubs.package("tensorrt_llm." + name, here / name))
    import tensorrt_llm.llmapi.llm_args as llm_args

    for name in dir(llm_args):
        if not name.startswith("__"):
            setattr(top.llmapi, name, getattr(llm_args, name))
    import click
    import tensorrt_llm.commands.serve as serve

    settled = {}

    def launch(*words, **named):
        given = named.get("llm_args") or words[2]
        # As launch_server does for this back end.
        args = llm_args.TorchLlmArgs(**{key: value for key, value in given.items() if key not in ("backend", "build_config")})
        settled.update(
            quantization=None,
            context=args.max_seq_len,
            tensor=args.tensor_parallel_size,
            stages=args.pipeline_parallel_size,
            expert=args.moe_expert_parallel_size,
            draft=args.speculative_config.num_nextn_predict_layers if args.speculative_config else 0,
            kv=args.kv_cache_config.dtype,
        )

    serve.launch_server = launch

    def judge(words, capability):
        stubs.Gpu.capability = capability
        settled.clear()
        try:
            serve.serve.main(words, standalone_mode=False)
        except click.ClickException as problem:
            raise refused(problem.format_message()) from problem
        if not settled:
            raise refused("the server would not be launched")
        return dict(settled)

    return judge
