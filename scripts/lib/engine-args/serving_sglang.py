# SPDX-License-Identifier: Apache-2.0
"""SGLang's own parser, ServerArgs and their checks, with stubs for Triton, its kernels and a GPU."""

import stubs

PACKAGES = (
    "triton pynvml pybase64 sgl_kernel flashinfer outlines modelscope partial_json_parser torchao decord decord2 llguidance "
    "hf_transfer cuda sglang_router openai_harmony ray mooncake sglang_kernel xgrammar tilelang deep_ep deep_gemm "
    "torch_memory_saver interegular blobfile apache_tvm_ffi tvm_ffi quack kernels cutlass flash_attn runai_model_streamer"
).split()


def judge_of(source, refused):
    """Returns a function that raises what SGLang raises, or returns what its settings came to."""
    import sys

    sys.path.insert(0, str(source / "python"))
    stubs.load_libraries()
    sys.meta_path.insert(0, stubs.Stubs(PACKAGES))
    stubs.pretend_gpu()
    import argparse
    import logging

    from sglang.srt.server_args import ServerArgs, prepare_server_args

    logging.disable(logging.WARNING)

    def error(self, message):
        raise refused(message)

    argparse.ArgumentParser.error = error

    def judge(words, capability):
        stubs.Gpu.capability = capability
        args = prepare_server_args(words)
        # The checks that a start makes once more, of ports that are free.
        args.check_server_args()
        model = args.get_model_config()
        return {
            "quantization": model.quantization,
            "context": model.context_len,
            "tensor": args.tp_size,
            "stages": args.pp_size,
            "expert": args.ep_size,
            "draft": args.speculative_num_steps or 0,
            "kv": args.kv_cache_dtype,
            "prefill": args.disaggregation_mode,
        }

    return judge
