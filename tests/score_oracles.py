"""Every score as a plain formula of the four cells: what the scores are tested against.

``a`` documents have the term and are in the class, ``b`` have the term only, ``c`` are in the
class only, ``d`` neither.
"""

from __future__ import annotations

import math
from statistics import NormalDist


def rates(a, b, c, d):
    n = a + b + c + d
    tpr = a / (a + c) if a + c else (a + b) / n
    fpr = b / (b + d) if b + d else (a + b) / n
    return tpr, fpr


def seen(p, a, b, c, d):
    return p if p else 0.5 / (a + b + c + d)


def dia(a, b, c, d):
    return a / (a + b) if a + b else 0


def mi(a, b, c, d):
    return math.log(seen(dia(a, b, c, d), a, b, c, d) / ((a + c) / (a + b + c + d)))


def ig(a, b, c, d):
    n = a + b + c + d
    gain = 0
    for cell, row, column in [(a, a + b, a + c), (b, a + b, b + d), (c, c + d, a + c),
                              (d, c + d, b + d)]:  # fmt: skip
        if cell:
            gain += cell / n * math.log(cell * n / (row * column))
    return gain


def ngl(a, b, c, d):
    product = (a + c) * (b + d) * (a + b) * (c + d)
    return math.sqrt((a + b + c + d) / product) * (a * d - c * b) if product else 0


def chi2(a, b, c, d):
    product = (a + c) * (b + d) * (a + b) * (c + d)
    return (a + b + c + d) * (a * d - c * b) ** 2 / product if product else 0


def odds(a, b, c, d):
    if not (a + c and b + d and a + b and c + d):
        return 1
    return (a + 0.5) * (d + 0.5) / ((b + 0.5) * (c + 0.5))


def rs(a, b, c, d):
    tpr, fpr = rates(a, b, c, d)
    return math.log((tpr + 1 / 6) / (1 - fpr + 1 / 6))


def gss(a, b, c, d):
    n = a + b + c + d
    return a / n * d / n - b / n * c / n


def rr(a, b, c, d):
    tpr, fpr = rates(a, b, c, d)
    return tpr / seen(fpr, a, b, c, d)


def log_rr(a, b, c, d):
    tpr, fpr = rates(a, b, c, d)
    return math.log(seen(tpr, a, b, c, d) / seen(fpr, a, b, c, d))


def kl(a, b, c, d):
    tpr, fpr = rates(a, b, c, d)
    return tpr * math.log(tpr / seen(fpr, a, b, c, d)) if tpr else 0


def bns(a, b, c, d):
    inside, outside = (min(max(r, 0.0005), 0.9995) for r in rates(a, b, c, d))
    return abs(NormalDist().inv_cdf(inside) - NormalDist().inv_cdf(outside))


def acc2(a, b, c, d):
    tpr, fpr = rates(a, b, c, d)
    return abs(tpr - fpr)


def tfrf(a, b, c, d):
    return math.log2(2 + a / max(1, b))


def gini(a, b, c, d):
    return rates(a, b, c, d)[0] ** 2 * dia(a, b, c, d) ** 2


def dfs(a, b, c, d):
    tpr, fpr = rates(a, b, c, d)
    return dia(a, b, c, d) / ((1 - tpr) + fpr + 1)


ORACLES = {
    "acc2": acc2, "bns": bns, "chi2": chi2, "chi2_tf": chi2, "df": lambda a, b, c, d: a,
    "dfs": dfs, "dia": dia, "gini": gini, "gss": gss, "ig": ig, "kl": kl, "log_rr": log_rr,
    "mi": mi, "ngl": ngl, "or": odds, "rr": rr, "rs": rs, "tfrf": tfrf,
}  # fmt: skip
