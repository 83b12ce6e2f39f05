"""What numba cannot say of vectors itself: two small functions written in LLVM's own words.

Both are plain IEEE arithmetic, so they give the same bits on every processor; one without vectors
of four takes them apart. `tests/physics/test_droplets.py` holds both against plain Python.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

_FLAGS = ("nnan", "ninf", "nsz")  # as in `_jit`: the ones that keep the bits
_PAIR, _FOUR = (ir.VectorType(ir.FloatType(), n) for n in (2, 4))
_EXACT = ir.VectorType(ir.DoubleType(), 4)


def _pick(_: Any, condition: Any, yes: Any, no: Any) -> Any:
    """`pick(condition, yes, no)`: one of both, without a branch that keeps a loop from vectors."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(*args)

    return yes(types.boolean, yes, yes), build


def _pour4(
    _: Any, z: Any, at: Any, width: Any, a: Any, b: Any, c: Any, d: Any, low: Any, high: Any
) -> Any:
    """`pour4(z, at, width, a, b, c, d, low, high)`: raise four cells within limits.

    z is flat float32; the cells are `at`, `at + 1` and the two a `width` further; a, b, c, d are
    added to them. A cell already beyond a limit may come back to it. What is returned is the
    float64 sum of the differences as stored, which are exact.
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = make_array(z)(context, builder, args[0]).data  # type: ignore[no-untyped-call]
        places = [builder.gep(data, [n]) for n in (args[1], builder.add(args[1], args[2]))]
        rows = [builder.bitcast(place, _PAIR.as_pointer()) for place in places]
        above, below = (builder.load(row, align=4) for row in rows)
        old = builder.shuffle_vector(above, below, _numbers(0, 1, 2, 3))
        low, high = (_vector(builder, [limit] * 4) for limit in args[7:])
        wanted = builder.fadd(old, _vector(builder, args[3:7]))
        new = _largest(builder, wanted, _least(builder, low, old))
        new = _least(builder, new, _largest(builder, high, old))
        for row, cells in zip(rows, (_numbers(0, 1), _numbers(2, 3)), strict=True):
            builder.store(builder.shuffle_vector(new, new, cells), row, align=4)
        given = builder.fsub(builder.fpext(new, _EXACT), builder.fpext(old, _EXACT))
        e = [builder.extract_element(given, _number(n)) for n in range(4)]
        return builder.fadd(builder.fadd(e[0], e[2]), builder.fadd(e[1], e[3]))

    return types.float64(z, at, width, a, b, c, d, low, high), build


def _least(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", a, b, _FLAGS), a, b)


def _largest(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b, _FLAGS), a, b)


def _number(n: int) -> Any:
    return ir.Constant(ir.IntType(32), n)


def _numbers(*which: int) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(which)), list(which))


def _vector(builder: Any, values: Any) -> Any:
    made = ir.Constant(_FOUR, ir.Undefined)
    for n, value in enumerate(values):
        made = builder.insert_element(made, value, _number(n))
    return made


pick: Any = intrinsic(_pick)
pour4: Any = intrinsic(_pour4)
