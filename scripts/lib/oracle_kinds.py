# SPDX-License-Identifier: Apache-2.0
"""Counts the parameters of models that are not decoders alone, each with the default config of its family.

Usage: oracle_kinds.py FILE. Models are made on the meta device. Writes a table: the class, all parameters, those of each part by
the first names of the tensors, and the config as transformers saves it.
"""

import collections
import csv
import json
import re
import sys

import torch
import transformers
from oracle import compact

transformers.logging.set_verbosity_error()

ENCODERS = "Albert Bert Camembert DebertaV2 DistilBert Electra Ernie EuroBert MPNet MobileBert ModernBert NomicBert Roberta XLMRoberta"
CLASSES = (
    [name + "Model" for name in ENCODERS.split()]
    + [name + "ForSequenceClassification" for name in "Bert Roberta XLMRoberta ModernBert DebertaV2 Electra DistilBert Qwen3".split()]
    + [name + "ForMaskedLM" for name in "Bert Roberta XLMRoberta ModernBert DistilBert Albert".split()]
    + ["LlamaModel", "MistralModel", "Qwen2Model", "Qwen3Model", "Gemma3TextModel"]
    + [name + "ForConditionalGeneration" for name in
       "T5 MT5 UMT5 Bart MBart PLBart Mvp M2M100 Pegasus Blenderbot BlenderbotSmall Whisper".split()]
    + ["MarianMTModel", "T5EncoderModel", "UMT5EncoderModel", "CLIPTextModel", "CLIPTextModelWithProjection"]
    + ["Wav2Vec2ForCTC", "HubertForCTC", "WavLMForCTC", "Wav2Vec2Model", "HubertModel"]
    + ["CLIPModel", "ChineseCLIPModel", "MetaClip2Model", "SiglipModel", "ViTModel", "ViTForImageClassification", "DeiTModel", "Dinov2Model"]
)


def row(name):
    model_class = getattr(transformers, name)
    config = model_class.config_class()
    with torch.device("meta"):
        model = model_class(config)
    parts = collections.Counter()
    for tensor, each in model.named_parameters(remove_duplicate=True):
        parts[re.sub(r"^(model|transformer|base_model)\.", "", tensor).split(".")[0]] += each.numel()
    saved = json.loads(config.to_json_string(use_diff=False))
    saved["architectures"] = [name]
    return {"family": config.model_type, "class": name, "parameters": sum(parts.values()),
            "parts": json.dumps(parts, separators=(",", ":")),
            "config": json.dumps(compact(saved), separators=(",", ":"), sort_keys=True)}


def main():
    with open(sys.argv[1], "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, ["family", "class", "parameters", "parts", "config"], lineterminator="\n")
        writer.writeheader()
        for name in CLASSES:
            try:
                writer.writerow(row(name))
            except Exception as error:  # a class that this release lacks, or a default that contradicts itself
                print(f"{name}: {error!r}"[:200], file=sys.stderr)


main()
