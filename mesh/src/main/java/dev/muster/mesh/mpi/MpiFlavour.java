package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// The three binary interfaces that libraries of MPI have. What a program calls constants is, by
/// interface, the address of an object in the library, a 32-bit number, or a small number in a pointer.
enum MpiFlavour {
    /// Open MPI 4 and 5: handles are addresses of objects that the library exports.
    OPEN_MPI("Open MPI", 8) {
        @Override
        MpiConstants constants(ToLongFunction<String> symbols) {
            return new MpiConstants(
                    symbols.applyAsLong("ompi_mpi_comm_world"),
                    symbols.applyAsLong("ompi_mpi_byte"),
                    types(List.of(
                                    "int8_t",
                                    "uint8_t",
                                    "int16_t",
                                    "uint16_t",
                                    "int32_t",
                                    "uint32_t",
                                    "int64_t",
                                    "uint64_t",
                                    "float",
                                    "double")
                            .stream()
                            .map(name -> symbols.applyAsLong("ompi_mpi_" + name))
                            .toList()),
                    operators(List.of("sum", "prod", "min", "max").stream()
                            .map(name -> symbols.applyAsLong("ompi_mpi_op_" + name))
                            .toList()),
                    symbols.applyAsLong("ompi_mpi_errors_return"),
                    symbols.applyAsLong("ompi_mpi_info_null"),
                    1,
                    0,
                    -1,
                    new MpiConstants.Status(4, 24),
                    3,
                    0);
        }
    },
    /// MPICH from 3 on and those that are compatible with it: handles are 32-bit numbers.
    MPICH("MPICH", 4) {
        @Override
        MpiConstants constants(ToLongFunction<String> symbols) {
            return new MpiConstants(
                    0x44000000L,
                    0x4c00010dL,
                    types(List.of(
                            0x4c000137L,
                            0x4c00013bL,
                            0x4c000238L,
                            0x4c00023cL,
                            0x4c000439L,
                            0x4c00043dL,
                            0x4c00083aL,
                            0x4c00083eL,
                            0x4c00040aL,
                            0x4c00080bL)),
                    operators(List.of(0x58000003L, 0x58000004L, 0x58000002L, 0x58000001L)),
                    0x54000001L,
                    0x1c000000L,
                    -1,
                    1,
                    -1,
                    new MpiConstants.Status(12, 20),
                    3,
                    1);
        }
    },
    /// The ABI that MPI 5 lays down: handles are small numbers in pointers. From the forum's header of
    /// version 1.0.
    ABI("the ABI of MPI 5", 8) {
        @Override
        MpiConstants constants(ToLongFunction<String> symbols) {
            return new MpiConstants(
                    0x101,
                    0x247,
                    types(List.of(0x240L, 0x241L, 0x248L, 0x249L, 0x250L, 0x251L, 0x258L, 0x259L, 0x210L, 0x214L)),
                    operators(List.of(0x21L, 0x24L, 0x22L, 0x23L)),
                    0x142,
                    0x130,
                    1,
                    0,
                    -2,
                    new MpiConstants.Status(4, 32),
                    4096,
                    221);
        }
    };

    private final String title;
    private final int handleBytes;

    MpiFlavour(String title, int handleBytes) {
        this.title = title;
        this.handleBytes = handleBytes;
    }

    /// The name for people.
    String title() {
        return title;
    }

    /// How much memory a handle takes.
    int handleBytes() {
        return handleBytes;
    }

    /// What the names of the standard stand for.
    ///
    /// @param symbols where the library has an object of that name
    abstract MpiConstants constants(ToLongFunction<String> symbols);

    /// Types whose values the library reduces as we do; halves and truth values it does not know.
    private static Map<DType, Long> types(List<Long> handles) {
        List<DType> order = List.of(
                DType.INT8,
                DType.UINT8,
                DType.INT16,
                DType.UINT16,
                DType.INT32,
                DType.UINT32,
                DType.INT64,
                DType.UINT64,
                DType.FLOAT32,
                DType.FLOAT64);
        Map<DType, Long> types = new EnumMap<>(DType.class);
        for (int i = 0; i < order.size(); i++) {
            types.put(order.get(i), handles.get(i));
        }
        return types;
    }

    private static Map<ReduceOp, Long> operators(List<Long> handles) {
        Map<ReduceOp, Long> operators = new EnumMap<>(ReduceOp.class);
        operators.put(ReduceOp.SUM, handles.get(0));
        operators.put(ReduceOp.AVERAGE, handles.get(0));
        operators.put(ReduceOp.PRODUCT, handles.get(1));
        operators.put(ReduceOp.MIN, handles.get(2));
        operators.put(ReduceOp.MAX, handles.get(3));
        return operators;
    }
}
