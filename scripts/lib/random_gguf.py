# SPDX-License-Identifier: Apache-2.0
"""Writes a GGUF file of a Llama with random weights: random_gguf.py FILE FORMAT KEY=NUMBER ...

FORMAT is F16, BF16, Q4_K_M, or one of SCALES for all matrices. Keys: layers, hidden, inner, heads, kv_heads, vocabulary, tied (0 or
1). The vocabulary has a token for each byte, so that any text can be read.
"""

import sys

import gguf
import numpy

path, mix = sys.argv[1:3]
size = {"layers": 2, "hidden": 256, "inner": 512, "heads": 8, "kv_heads": 4, "vocabulary": 512, "tied": 0}
size.update((key, int(number)) for key, number in (each.split("=") for each in sys.argv[3:]))
hidden, head = size["hidden"], size["hidden"] // size["heads"]
keys = head * size["kv_heads"]
random = numpy.random.default_rng(0)
# Where in a block of a format its 16-bit scales lie, which no random bytes may be.
SCALES = {"Q8_0": [0], "Q5_0": [0], "Q4_0": [0], "IQ4_NL": [0], "IQ4_XS": [0], "Q6_K": [208], "Q5_K": [0, 2], "Q4_K": [0, 2],
          "Q3_K": [108], "Q2_K": [80, 82]}
POOL = 1 << 14


def blocks(kind):
    """Bytes of many blocks of a format. They serve for all tensors: speed does not depend on them."""
    if kind == "F16":
        return (random.standard_normal(1 << 20) * 0.02).astype(numpy.float16).view(numpy.uint8)
    if kind == "BF16":
        return (random.standard_normal(1 << 20) * 0.02).astype(numpy.float32).view(numpy.uint16)[1::2].copy().view(numpy.uint8)
    _, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]]
    pool = random.integers(0, 256, (POOL, size), dtype=numpy.uint8)
    for place in SCALES[kind]:
        pool[:, place : place + 2] = numpy.array([0.001], dtype=numpy.float16).view(numpy.uint8)
    return pool.reshape(-1)


pools = {}

writer = gguf.GGUFWriter(path, "llama")
writer.add_name("random")
writer.add_context_length(8192)
writer.add_embedding_length(hidden)
writer.add_block_count(size["layers"])
writer.add_feed_forward_length(size["inner"])
writer.add_head_count(size["heads"])
writer.add_head_count_kv(size["kv_heads"])
writer.add_rope_dimension_count(head)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_vocab_size(size["vocabulary"])
writer.add_file_type(gguf.LlamaFileType["MOSTLY_" + {"Q5_K": "Q5_K_M", "Q3_K": "Q3_K_M"}.get(mix, mix)])

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


def weights(name, rows, columns, kind=mix.removesuffix("_M")):
    if kind not in pools:
        pools[kind] = blocks(kind)
    kind_id = gguf.GGMLQuantizationType[kind]
    per_block, size_of_block = gguf.GGML_QUANT_SIZES[kind_id]
    data = numpy.resize(pools[kind], (rows, columns // per_block * size_of_block))
    if kind == "F16":
        writer.add_tensor(name, data.view(numpy.float16))
    else:
        writer.add_tensor(name, data, raw_dtype=kind_id)


def norm(name):
    writer.add_tensor(name, numpy.ones(hidden, dtype=numpy.float32))


# A K-quant mix keeps the output, and some tensors of half of the layers, in more bits.
better = "Q6_K" if mix.endswith("_M") else mix
weights("token_embd.weight", size["vocabulary"], hidden, better if size["tied"] else mix.removesuffix("_M"))
norm("output_norm.weight")
if not size["tied"]:
    weights("output.weight", size["vocabulary"], hidden, better)
for layer in range(size["layers"]):
    part = f"blk.{layer}."
    some = better if layer % 2 else mix.removesuffix("_M")
    norm(part + "attn_norm.weight")
    weights(part + "attn_q.weight", hidden, hidden)
    weights(part + "attn_k.weight", keys, hidden)
    weights(part + "attn_v.weight", keys, hidden, some)
    weights(part + "attn_output.weight", hidden, hidden)
    norm(part + "ffn_norm.weight")
    weights(part + "ffn_gate.weight", size["inner"], hidden)
    weights(part + "ffn_up.weight", size["inner"], hidden)
    weights(part + "ffn_down.weight", hidden, size["inner"], some)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
