// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.Tensor;
import dev.muster.model.checkpoint.PickleReader.NotUnderstoodException;
import dev.muster.model.checkpoint.Pickled.Dict;
import dev.muster.model.checkpoint.Pickled.Global;
import dev.muster.model.checkpoint.Pickled.Instance;
import dev.muster.model.checkpoint.Pickled.Items;
import dev.muster.model.checkpoint.Pickled.Result;
import dev.muster.model.checkpoint.Pickled.Storage;
import dev.muster.model.checkpoint.Pickled.Text;
import dev.muster.model.checkpoint.Pickled.View;
import dev.muster.model.checkpoint.Pickled.Whole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The results of the functions that `torch.save` names, as far as they concern tensors. None of them is called.
/// Source: `torch/_utils.py` and `torch/serialization.py` of PyTorch 2.14.
final class TorchCalls {
    private static final String BYTE = "uint8";

    /// Bits of the types that PyTorch names; those of storages have other names.
    private static final Map<String, Tensor.Type> TYPES = types(
            "float64 64 float32 32 float16 16 bfloat16 16 complex128 128 complex64 64 complex32 32 int64 64 int32 32 "
                    + "int16 16 int8 8 uint8 8 bool 8 uint16 16 uint32 32 uint64 64 float8_e4m3fn 8 float8_e5m2 8 "
                    + "float8_e4m3fnuz 8 float8_e5m2fnuz 8 float8_e8m0fnu 8 qint8 8 quint8 8 qint32 32");

    private static final Map<String, String> STORAGES = Map.ofEntries(
            Map.entry("Double", "float64"),
            Map.entry("Float", "float32"),
            Map.entry("Half", "float16"),
            Map.entry("BFloat16", "bfloat16"),
            Map.entry("Long", "int64"),
            Map.entry("Int", "int32"),
            Map.entry("Short", "int16"),
            Map.entry("Char", "int8"),
            Map.entry("Byte", BYTE),
            Map.entry("Untyped", BYTE),
            Map.entry("Bool", "bool"),
            Map.entry("ComplexDouble", "complex128"),
            Map.entry("ComplexFloat", "complex64"),
            Map.entry("QInt8", "qint8"),
            Map.entry("QUInt8", "quint8"),
            Map.entry("QInt32", "qint32"));

    private TorchCalls() {}

    private static Map<String, Tensor.Type> types(String text) {
        Map<String, Tensor.Type> types = new HashMap<>();
        String[] words = text.split(" ");
        for (int i = 0; i < words.length; i += 2) {
            types.put(words[i], Tensor.Type.plain(words[i], Integer.parseInt(words[i + 1])));
        }
        return types;
    }

    /// Reports whether numbers of a type can be parameters; integers are counters and indices.
    static boolean isFloating(Tensor.Type type) {
        String name = type.name();
        return name.contains("float") || name.startsWith("complex") || name.startsWith("q");
    }

    /// Returns the storage that a persistent id stands for.
    static Pickled storage(Pickled id) {
        List<Pickled> parts = id instanceof Items items ? items.values() : List.of();
        if (parts.size() < 5
                || !(parts.get(0) instanceof Text kind && kind.value().equals("storage"))
                || !(parts.get(1) instanceof Global type)
                || !(parts.get(2) instanceof Text key)
                || !(parts.get(4) instanceof Whole elements)) {
            throw new NotUnderstoodException("it refers to something that is not a storage");
        }
        String name = type.name().substring(type.name().lastIndexOf('.') + 1);
        String torch = name.endsWith("Storage") ? STORAGES.get(name.substring(0, name.length() - 7)) : null;
        if (torch == null) {
            throw new NotUnderstoodException("its storages are of the unknown type " + name);
        }
        return new Storage(key.value(), type(torch), elements.value());
    }

    private static Tensor.Type type(String name) {
        Tensor.Type type = TYPES.get(name);
        if (type == null) {
            throw new NotUnderstoodException("its tensors are of the unknown type " + name);
        }
        return type;
    }

    static Pickled result(Pickled called, Pickled arguments) {
        if (!(called instanceof Global function)) {
            throw new NotUnderstoodException("it calls something that is not a function");
        }
        List<Pickled> given = arguments instanceof Items items ? items.values() : List.of();
        return switch (function.name()) {
            case "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_qtensor" ->
                view(given, Optional.empty());
            case "torch._utils._rebuild_tensor_v3" -> view(given, Optional.of(at(given, 6)));
            case "torch._utils._rebuild_parameter",
                    "torch._utils._rebuild_parameter_with_state",
                    "torch.jit._pickle.restore_type_tag",
                    "torch.jit._pickle.build_tensorlist" -> at(given, 0);
            case "torch._tensor._rebuild_from_type_v2" -> wrapped(function, given);
            case "torch.Size" -> at(given, 0);
            case "collections.OrderedDict", "builtins.dict", "collections.defaultdict" -> dict(given);
            case "copyreg._reconstructor", "copy_reg._reconstructor" ->
                at(given, 0) instanceof Global type
                        ? new Instance(type, arguments, new ArrayList<>())
                        : new Result(function, arguments);
            default -> new Result(function, arguments);
        };
    }

    /// Returns the tensor of a subclass, which names the function that makes it.
    private static Pickled wrapped(Global function, List<Pickled> given) {
        boolean again = at(given, 0) instanceof Global inner && inner.equals(function);
        return again ? new Result(function, at(given, 2)) : result(at(given, 0), at(given, 2));
    }

    private static Pickled at(List<Pickled> given, int place) {
        if (place >= given.size()) {
            throw new NotUnderstoodException("it calls a function with too few arguments");
        }
        return given.get(place);
    }

    private static View view(List<Pickled> given, Optional<Pickled> typed) {
        if (at(given, 0) instanceof Storage storage && at(given, 1) instanceof Whole offset) {
            Tensor.Type type = typed.filter(Global.class::isInstance)
                    .map(global -> ((Global) global).name())
                    .map(name -> type(name.substring(name.lastIndexOf('.') + 1)))
                    .orElse(storage.type());
            return new View(storage, type, offset.value(), wholes(at(given, 2)), wholes(at(given, 3)));
        }
        throw new NotUnderstoodException("a tensor of it has no storage");
    }

    private static List<Long> wholes(Pickled tuple) {
        List<Long> wholes = new ArrayList<>();
        for (Pickled item : tuple instanceof Items items ? items.values() : List.<Pickled>of()) {
            if (!(item instanceof Whole whole) || whole.value() < 0) {
                throw new NotUnderstoodException("the shape of a tensor is not of whole numbers");
            }
            wholes.add(whole.value());
        }
        if (wholes.size() > CheckpointReader.Limits.RANK) {
            throw new NotUnderstoodException("a tensor has more than " + CheckpointReader.Limits.RANK + " dimensions");
        }
        return wholes;
    }

    /// Returns a dictionary, empty or made of a list of pairs.
    private static Dict dict(List<Pickled> given) {
        Dict dict = new Dict();
        for (Pickled argument : given) {
            for (Pickled pair : argument instanceof Items pairs ? pairs.values() : List.<Pickled>of()) {
                if (pair instanceof Items two
                        && two.values().size() == 2
                        && two.values().getFirst() instanceof Text key) {
                    dict.values().put(key.value(), two.values().getLast());
                }
            }
        }
        return dict;
    }
}
