"""Reading a grid through pixels: weighted sums along both axes, as map tiles need them."""

import numpy as np

from downcut._jit import finite_kernel


@finite_kernel
def weigh(values, rows, row_weights, cols, col_weights, bands, out):  # type: ignore[no-untyped-def]
    """Sum what each pixel looks at: out[i, j] = Σ Σ row weight · column weight · value.

    Values are (rows, columns · bands) float32, and out likewise, in float64. The sums go down the
    columns first, since rows lie together in memory.
    """
    line = np.empty(values.shape[1])
    for i in range(rows.shape[0]):
        line[:] = 0.0
        for k in range(rows.shape[1]):
            weight = row_weights[i, k]
            if weight != 0.0:
                row = rows[i, k]
                for c in range(line.size):
                    line[c] += weight * np.float64(values[row, c])
        for j in range(cols.shape[0]):
            for band in range(bands):
                total = 0.0
                for k in range(cols.shape[1]):
                    total += col_weights[j, k] * line[cols[j, k] * bands + band]
                out[i, j * bands + band] = total
