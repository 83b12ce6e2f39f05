"""A binary heap of cells by their cost, for searches that go on from the cheapest."""

import numpy as np

from downcut._jit import inlined

HEAP = np.dtype([("cost", "f4"), ("cell", "i8")], align=True)


@inlined
def push(heap, size, cost, cell):  # type: ignore[no-untyped-def]
    """Put an entry into the binary heap of `size` entries."""
    place = size
    while place > 0 and heap[(place - 1) >> 1].cost > cost:
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place].cost = cost
    heap[place].cell = cell


@inlined
def pop(heap, size):  # type: ignore[no-untyped-def]
    """Take the first entry off the heap: `size` is what remains."""
    cost, cell = heap[size].cost, heap[size].cell
    place = 0
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and heap[child + 1].cost < heap[child].cost:
            child += 1
        if heap[child].cost >= cost:
            break
        heap[place] = heap[child]
        place = child
    heap[place].cost = cost
    heap[place].cell = cell
