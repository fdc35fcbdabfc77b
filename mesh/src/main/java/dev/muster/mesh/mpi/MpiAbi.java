// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// The three binary interfaces that libraries of MPI have. What a program calls constants is, by
/// interface, the address of an object in the library, a 32-bit number, or a small number in a pointer.
enum MpiAbi {
    /// Open MPI 4 and 5: handles are addresses of objects that the library exports.
    OPEN_MPI(
            8,
            List.of("comm_world", "byte", "errors_return", "info_null"),
            "int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t float double",
            "op_sum op_prod op_min op_max",
            new Numbers(1, 0, -1, new Status(4, 24), 3, 0)),
    /// MPICH from 3 on and those that are compatible with it: handles are 32-bit numbers.
    MPICH(
            4,
            List.of("0x44000000", "0x4c00010d", "0x54000001", "0x1c000000"),
            "0x4c000137 0x4c00013b 0x4c000238 0x4c00023c 0x4c000439 0x4c00043d 0x4c00083a 0x4c00083e 0x4c00040a"
                    + " 0x4c00080b",
            "0x58000003 0x58000004 0x58000002 0x58000001",
            new Numbers(-1, 1, -1, new Status(12, 20), 3, 1)),
    /// The ABI that MPI 5 lays down: handles are small numbers in pointers. From the forum's header of
    /// version 1.0.
    ABI(
            8,
            List.of("0x101", "0x247", "0x142", "0x130"),
            "0x240 0x241 0x248 0x249 0x250 0x251 0x258 0x259 0x210 0x214",
            "0x21 0x24 0x22 0x23",
            new Numbers(1, 0, -2, new Status(4, 32), 4096, 221));

    /// Types whose values the library reduces as we do; halves and truth values it does not know.
    private static final List<DType> TYPES = List.of(
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

    private static final List<ReduceOp> OPERATORS = List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX);

    private final int handleBytes;
    private final List<String> handles;
    private final List<String> types;
    private final List<String> operators;
    private final Numbers numbers;

    /// @param handles of the world, of bytes, of errors that return and of no info: numbers, or names of objects
    MpiAbi(int handleBytes, List<String> handles, String types, String operators, Numbers numbers) {
        this.handleBytes = handleBytes;
        this.handles = handles;
        this.types = List.of(types.split(" "));
        this.operators = List.of(operators.split(" "));
        this.numbers = numbers;
    }

    /// Returns the size of a handle, in bytes.
    int handleBytes() {
        return handleBytes;
    }

    /// Returns the values of the standard's constants.
    ///
    /// @param symbols addresses of the library's objects by name
    MpiConstants constants(ToLongFunction<String> symbols) {
        Map<DType, Long> known = new EnumMap<>(DType.class);
        for (int i = 0; i < TYPES.size(); i++) {
            known.put(TYPES.get(i), handle(types.get(i), symbols));
        }
        Map<ReduceOp, Long> reductions = new EnumMap<>(ReduceOp.class);
        for (int i = 0; i < OPERATORS.size(); i++) {
            reductions.put(OPERATORS.get(i), handle(operators.get(i), symbols));
        }
        reductions.put(ReduceOp.AVERAGE, handle(operators.getFirst(), symbols));
        return new MpiConstants(
                handle(handles.get(0), symbols),
                handle(handles.get(1), symbols),
                known,
                reductions,
                handle(handles.get(2), symbols),
                handle(handles.get(3), symbols),
                numbers);
    }

    private static long handle(String text, ToLongFunction<String> symbols) {
        return text.startsWith("0x") ? Long.decode(text) : symbols.applyAsLong("ompi_mpi_" + text);
    }

    /// The values of the standard's constants in one library: handles, all of them as 64 bits, and numbers.
    ///
    /// @param world `MPI_COMM_WORLD`
    /// @param bytes `MPI_BYTE`
    /// @param types those that the library can reduce
    /// @param operators by which it reduces; an average begins as a sum
    /// @param errorsReturn `MPI_ERRORS_RETURN`
    /// @param infoNull `MPI_INFO_NULL`
    record MpiConstants(
            long world,
            long bytes,
            Map<DType, Long> types,
            Map<ReduceOp, Long> operators,
            long errorsReturn,
            long infoNull,
            Numbers numbers) {}

    /// Constants that are numbers in every library.
    ///
    /// @param inPlace `MPI_IN_PLACE`
    /// @param statusIgnore `MPI_STATUS_IGNORE`, which is also `MPI_STATUSES_IGNORE`
    /// @param anyTag `MPI_ANY_TAG`
    /// @param status layout of an `MPI_Status`
    /// @param threadMultiple `MPI_THREAD_MULTIPLE`
    /// @param sharedMemory `MPI_COMM_TYPE_SHARED`
    record Numbers(long inPlace, long statusIgnore, int anyTag, Status status, int threadMultiple, int sharedMemory) {}

    /// The offset of the tag, and the size of the whole.
    record Status(int tagOffset, int bytes) {}
}
