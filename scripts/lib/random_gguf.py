# SPDX-License-Identifier: Apache-2.0
"""Writes a GGUF file of a model with random weights: random_gguf.py FILE FORMAT KEY=NUMBER ...

FORMAT is F16, BF16, Q4_K_M, Q5_K_M, MXFP4 (of experts; all else in Q8_0), or one of SCALES for all matrices. Keys: layers, hidden,
inner, heads, kv_heads, head (size), vocabulary, tied (0 or 1), experts, active, norms (1: of queries and keys, as Qwen3 has them),
window (1: every other layer looks back 128 tokens, with sinks and biases, as gpt-oss). Without those it is a Llama. The vocabulary has
a token for each byte, so that any text can be read. Tensors are written one by one: a file may be larger than the memory.
"""

import sys

import gguf
import numpy

path, mix = sys.argv[1:3]
size = {"layers": 2, "hidden": 256, "inner": 512, "heads": 8, "kv_heads": 4, "vocabulary": 512}
size.update((key, int(number)) for key, number in (each.split("=") for each in sys.argv[3:]))
hidden, inner, experts = size["hidden"], size["inner"], size.get("experts", 0)
head = size.get("head", hidden // size["heads"])
queries, keys = head * size["heads"], head * size["kv_heads"]
tied, norms, window = (size.get(key, 0) for key in ("tied", "norms", "window"))
kind = "gpt-oss" if window else "qwen3moe" if norms and experts else "qwen3" if norms else "llama"
plain = {"MXFP4": "Q8_0"}.get(mix, mix.removesuffix("_M"))
random = numpy.random.default_rng(0)
# Where in a block of a format its 16-bit scales lie, which no random bytes may be.
SCALES = {"Q8_0": [0], "Q5_0": [0], "Q4_0": [0], "IQ4_NL": [0], "IQ4_XS": [0], "Q6_K": [208], "Q5_K": [0, 2], "Q4_K": [0, 2],
          "Q3_K": [108], "Q2_K": [80, 82], "MXFP4": []}
POOL = 1 << 14
CHUNK = 1 << 25


def blocks(name):
    """Bytes of many blocks of a format. They serve for all tensors: speed does not depend on them."""
    if name == "F16":
        return (random.standard_normal(1 << 20) * 0.02).astype(numpy.float16).view(numpy.uint8)
    if name == "BF16":
        return (random.standard_normal(1 << 20) * 0.02).astype(numpy.float32).view(numpy.uint16)[1::2].copy().view(numpy.uint8)
    if name == "F32":
        return (random.standard_normal(1 << 20) * 0.02).astype(numpy.float32).view(numpy.uint8)
    _, bytes_of_block = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[name]]
    pool = random.integers(0, 256, (POOL, bytes_of_block), dtype=numpy.uint8)
    for place in SCALES[name]:
        pool[:, place : place + 2] = numpy.array([0.001], dtype=numpy.float16).view(numpy.uint8)
    if name == "MXFP4":
        pool[:, 0] = 120  # an exponent of 2^-7
    return pool.reshape(-1)


pools = {}
tensors = []

writer = gguf.GGUFWriter(path, kind)
writer.add_name("random")
writer.add_context_length(131072)
writer.add_embedding_length(hidden)
writer.add_block_count(size["layers"])
writer.add_feed_forward_length(inner)
writer.add_head_count(size["heads"])
writer.add_head_count_kv(size["kv_heads"])
writer.add_key_length(head)
writer.add_value_length(head)
writer.add_rope_dimension_count(head)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_vocab_size(size["vocabulary"])
if experts:
    writer.add_expert_count(experts)
    writer.add_expert_used_count(size["active"])
    writer.add_expert_feed_forward_length(inner)
if window:
    writer.add_sliding_window(128)
writer.add_file_type(gguf.LlamaFileType["MOSTLY_" + {"Q5_K": "Q5_K_M", "Q3_K": "Q3_K_M", "MXFP4": "MXFP4_MOE"}.get(mix, mix)])

tokens = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % i for i in range(256)]
tokens += [b"t%d" % i for i in range(len(tokens), size["vocabulary"])]
kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256
kinds += [gguf.TokenType.NORMAL] * (len(tokens) - len(kinds))
writer.add_tokenizer_model("llama")
writer.add_token_list(tokens)
writer.add_token_scores([-float(i) for i in range(len(tokens))])
writer.add_token_types(kinds)
writer.add_bos_token_id(1)
writer.add_eos_token_id(2)


def tensor(name, shape, form=plain):
    per_block, bytes_of_block = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[form]]
    rows = shape[:-1] + (shape[-1] // per_block * bytes_of_block,)
    count = int(numpy.prod(rows))
    writer.add_tensor_info(name, rows, numpy.dtype(numpy.uint8), count, raw_dtype=gguf.GGMLQuantizationType[form])
    tensors.append((form, count))


def norm(name, width=hidden):
    writer.add_tensor_info(name, (width,), numpy.dtype(numpy.float32), 4 * width)
    tensors.append(("ones", 4 * width))


def write(file, form, count):
    """Writes a tensor from copies of its format's bytes."""
    writer.write_padding(file, file.tell())
    if form not in pools:
        pools[form] = numpy.ones(1 << 20, dtype=numpy.float32).view(numpy.uint8) if form == "ones" else blocks(form)
        pools[form] = numpy.tile(pools[form], CHUNK // len(pools[form]) + 1).data
    whole = len(pools[form])
    for begin in range(0, count, whole):
        file.write(pools[form][: min(whole, count - begin)])


# A K-quant mix keeps the output, and some tensors of half of the layers, in more bits.
better = "Q6_K" if mix.endswith("_M") else plain
tensor("token_embd.weight", (size["vocabulary"], hidden), better if tied else plain)
norm("output_norm.weight")
if not tied:
    tensor("output.weight", (size["vocabulary"], hidden), better)
for layer in range(size["layers"]):
    part = f"blk.{layer}."
    some = better if layer % 2 else plain
    norm(part + "attn_norm.weight")
    tensor(part + "attn_q.weight", (queries, hidden))
    tensor(part + "attn_k.weight", (keys, hidden))
    tensor(part + "attn_v.weight", (keys, hidden), some)
    tensor(part + "attn_output.weight", (hidden, queries))
    if norms:
        norm(part + "attn_q_norm.weight", head)
        norm(part + "attn_k_norm.weight", head)
    norm(part + ("post_attention_norm" if window else "ffn_norm") + ".weight")
    if window:
        norm(part + "attn_sinks.weight", size["heads"])
        for name, width in (("attn_q", queries), ("attn_k", keys), ("attn_v", keys), ("attn_output", hidden)):
            norm(part + name + ".bias", width)
    many = (experts,) if experts else ()
    ending = "_exps" if experts else ""
    form = "MXFP4" if mix == "MXFP4" else plain
    tensor(part + f"ffn_gate{ending}.weight", many + (inner, hidden), form)
    tensor(part + f"ffn_up{ending}.weight", many + (inner, hidden), form)
    tensor(part + f"ffn_down{ending}.weight", many + (hidden, inner), "MXFP4" if mix == "MXFP4" else some)
    if experts:
        tensor(part + "ffn_gate_inp.weight", (experts, hidden), "F32")
    if window:
        norm(part + "ffn_gate_inp.bias", experts)
        for name, width in (("gate", inner), ("up", inner), ("down", hidden)):
            writer.add_tensor_info(part + f"ffn_{name}_exps.bias", (experts, width), numpy.dtype(numpy.float32), 4 * experts * width)
            tensors.append(("F32", 4 * experts * width))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_ti_data_to_file()
for each in tensors:
    write(writer.fout[0], *each)
writer.write_padding(writer.fout[0], writer.fout[0].tell())
writer.close()
