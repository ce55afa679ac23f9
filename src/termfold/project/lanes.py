"""Several classes in one vector register: a Numba type with arithmetic, for kernels.

LLVM does not find the vector form of a loop over eight or sixteen classes inside a loop over terms
by itself, and the scalar form takes twice to four times as long. So the kernel says it: a row of a
table is one value of type ``Lanes``, and ``+ - * /`` work on all its classes at once. There is no
fused multiply-add and no sum across lanes, so that a class gets the same result, bit for bit,
in whatever company and on whatever processor it is computed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, overload, register_model

from termfold._arrays import Array

WIDTHS = (1, 8, 16, 32, 64)
"""Classes per block: kernels are compiled for these only."""

_FLOAT = ir.FloatType()
_INT = ir.IntType(32)
_CACHE_LINE = 64


def lane_table(rows: int, width: int) -> Array:
    """Make a table of zeros, one ``Lanes`` of ``width`` classes per row.

    Rows begin at cache lines, so that sixteen classes cost one access to memory and not two.

    Examples
    --------
    >>> table = lane_table(2, 8)
    >>> table["lanes"].shape
    (2, 8)
    """
    spare = _CACHE_LINE // 4
    raw = np.zeros(rows * width + spare, np.float32)
    start = -(raw.ctypes.data // 4) % spare
    row = np.dtype([("lanes", np.float32, (width,))])
    table: Array = raw[start : start + rows * width].view(row)
    return table


class Lanes(types.Type):
    """The Numba type of ``width`` float32 numbers in one register."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"Lanes({width})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, ir.VectorType(_FLOAT, lanes.width))


def _row_pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Address of a row; the table and the row are the first two arguments."""
    table, row = args[:2]
    table_type, row_type = signature.args[:2]
    vector = ir.VectorType(_FLOAT, table_type.dtype.size // 4)
    data = context.make_array(table_type)(context, builder, table).data
    place = context.cast(builder, row, row_type, types.intp)
    return builder.gep(builder.bitcast(data, vector.as_pointer()), [place])


@intrinsic
def get(_: Any, table: Any, row: Any) -> Any:
    """``get(table, row)``: one row of a ``lane_table`` as ``Lanes``."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = builder.load(_row_pointer(context, builder, signature, args))
        value.align = 4  # a table that came through a copy may begin anywhere
        return value

    return Lanes(table.dtype.size // 4)(table, row), emit


@intrinsic
def put(_: Any, table: Any, row: Any, value: Any) -> Any:
    """``put(table, row, value)``: write one row of a ``lane_table``."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _row_pointer(context, builder, signature, args)
        builder.store(args[2], place).align = 4
        return context.get_dummy_value()

    return types.none(table, row, value), emit


@intrinsic
def any_of(_: Any, value: Any) -> Any:
    """``any_of(value)``: is a lane other than zero?"""

    def emit(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = ir.IntType(signature.args[0].width)
        zeros = ir.Constant(args[0].type, None)
        unequal = builder.bitcast(builder.fcmp_unordered("!=", args[0], zeros), bits)
        return builder.icmp_unsigned("!=", unequal, ir.Constant(bits, 0))

    return types.boolean(value), emit


def _spread(builder: Any, number: Any, width: int) -> Any:
    """Copy a number into every lane."""
    vector = ir.Constant(ir.VectorType(_FLOAT, width), ir.Undefined)
    vector = builder.insert_element(vector, number, ir.Constant(_INT, 0))
    return builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(_INT, width), None))


def _lane_by_lane(instruction: Callable[[Any, Any, Any], Any]) -> Any:
    """Make a function of two ``Lanes``, or of one and a number, from an LLVM instruction."""

    @intrinsic
    def function(_: Any, left: Any, right: Any) -> Any:
        lanes = left if isinstance(left, Lanes) else right

        def emit(_: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = [
                value if isinstance(kind, Lanes) else _spread(builder, value, lanes.width)
                for kind, value in zip(signature.args, args, strict=True)
            ]
            return instruction(builder, *values)

        sides = [side if isinstance(side, Lanes) else types.float32 for side in (left, right)]
        return lanes(*sides), emit

    return function


def _larger(builder: Any, left: Any, right: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


larger = _lane_by_lane(_larger)


def _overload(symbol: Any, function: Any) -> None:
    def implement(left: Any, right: Any) -> Any:
        if isinstance(left, Lanes) or isinstance(right, Lanes):
            return lambda left, right: function(left, right)
        return None

    overload(symbol, strict=False)(implement)  # strict: the annotations would have to agree too


for _symbol, _instruction in (
    (operator.add, ir.IRBuilder.fadd),
    (operator.sub, ir.IRBuilder.fsub),
    (operator.mul, ir.IRBuilder.fmul),
    (operator.truediv, ir.IRBuilder.fdiv),
):
    _overload(_symbol, _lane_by_lane(_instruction))
