"""Instructions that NumPy and Numba have no word for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def load_word(typing_context: Any, array: Any, index: Any) -> Any:
    """Eight bytes of an array of bytes, from any index, as an uint64."""
    signature = types.uint64(array, types.int64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        struct = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
        address = builder.gep(struct.data, [args[1]])
        word = builder.load(builder.bitcast(address, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return signature, codegen


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The position of the lowest bit set in an uint64; 64 if there is none."""
    signature = types.int64(types.uint64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return signature, codegen


@intrinsic
def prefetch(typing_context: Any, table: Any, row: Any) -> Any:
    """Ask for the cache line where a row of a table begins, without waiting for it."""
    signature = types.void(table, types.uint64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        struct = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
        stride = cgutils.unpack_tuple(builder, struct.strides)[0]
        start = builder.bitcast(struct.data, ir.IntType(8).as_pointer())
        address = builder.gep(start, [builder.mul(args[1], stride)])
        number = ir.IntType(32)
        arguments = [address.type, number, number, number]
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), arguments), "llvm.prefetch.p0"
        )
        builder.call(function, [address, number(0), number(3), number(1)])  # to read, and to keep
        return context.get_dummy_value()

    return signature, codegen
