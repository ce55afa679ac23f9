from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from termfold.errors import StatsError
from termfold.project.lanes import WIDTHS, lane_table
from termfold.project.refined import RefinedProjection
from termfold.project.refined_calibration import fit_sigmoids, fit_temperature
from termfold.project.refined_kernel import DocTables, by_rank, descend
from termfold.project.refined_solver import class_blocks
from termfold.stats import TermStats

EXACT = {"tol": 0, "max_epochs": 1500}

SAME_ORDER = (
    "documents are visited in random order and the descent stops at a tolerance, so a repeated or "
    "an omitted row moves the weights by about that tolerance"
)
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": SAME_ORDER,
    "check_sample_weight_equivalence_on_sparse_data": SAME_ORDER,
    "check_class_weight_classifiers": "negative values, which counts never are",
    "check_decision_proba_consistency": "negative values, which counts never are",
    "check_classifiers_multilabel_representation_invariance": (
        "a list of lists holds the names of labels, it is no indicator matrix"
    ),
}
OF_UNIT_LENGTH = {
    "check_classifiers_train": "its blobs differ in length, which is taken away from documents",
}


def expected_failures(estimator):
    return EXPECTED_FAILURES | (OF_UNIT_LENGTH if estimator.norm else {})


@parametrize_with_checks(
    [RefinedProjection(), RefinedProjection(prior=0, input_weight="count", norm=None)],
    expected_failed_checks=expected_failures,
)
@pytest.mark.filterwarnings("ignore:.*array_api:sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def collection(n_docs=120, n_terms=200, n_classes=4, seed=0, noise=1.0):
    """Counts whose terms lean to classes, many of them in one document; and labels."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_docs)
    y[:n_classes] = np.arange(n_classes)
    rates = rng.gamma(0.1, noise, (n_classes, n_terms)) + rng.gamma(0.05, 1, n_terms)
    return sp.csr_array(rng.poisson(rates[y])), y


def indicator(n_docs=120, n_classes=5, seed=1):
    rng = np.random.default_rng(seed)
    return (rng.random((n_docs, n_classes)) < [0.5, 0.3, 0.2, 0.1, 0.05][:n_classes]).astype(int)


def column(model):
    return 1 if len(model.classes_) == 2 and not model.multilabel_ else 0


# -- what is minimised ------------------------------------------------------------------------


def weighed(model, X):
    """The weighting written with NumPy."""
    counts = X.toarray().astype(float)
    logs = 1 + np.log(counts, out=np.zeros_like(counts), where=counts > 0)
    x = np.where(counts > 0, logs, 0) * model.idf_
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(norms > 0, norms, 1)


def signs(model, y):
    return 2 * np.asarray([np.equal(y, name) for name in model.classes_[column(model) :]]).T - 1


@pytest.mark.parametrize("prior", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_minimises_the_objective(prior, n_classes):
    X, y = collection(60, 40, n_classes)
    model = RefinedProjection(prior, C=0.7, **EXACT).fit(X, y)
    x, signed = weighed(model, X), signs(model, y)
    start = model.prior_.astype(float)

    def objective(parameters, k):
        w, b = parameters[:-1], parameters[-1]
        slack = np.maximum(0, 1 - signed[:, k] * (x @ w + b))
        residual = slack * signed[:, k]
        value = ((w - start[:, k]) ** 2).sum() / 2 + b * b / 2 + 0.7 * (slack**2).sum()
        gradient = np.append(w - start[:, k] - 1.4 * x.T @ residual, b - 1.4 * residual.sum())
        return value, gradient

    for k in range(signed.shape[1]):
        origin = np.append(start[:, k], 0)
        found = minimize(objective, origin, (k,), jac=True, options={"gtol": 1e-9})
        assert_allclose(model.weights_[:, k], found.x[:-1], atol=2e-5)
        assert_allclose(model.intercept_[k], found.x[-1], atol=2e-5)


def test_without_a_prior_it_is_a_linear_svm():
    X, y = collection()
    x = TfidfTransformer(sublinear_tf=True).fit_transform(X)
    known = np.flatnonzero(X.sum(axis=0))
    svm = LinearSVC(C=2, tol=1e-10, max_iter=100_000, dual=True).fit(x[:, known], y)
    model = RefinedProjection(0, C=2, **EXACT).fit(X, y)
    assert_allclose(model.coef_[:, known], svm.coef_, atol=2e-5)
    assert_allclose(model.intercept_, svm.intercept_, atol=2e-5)
    assert not model.weights_[X.sum(axis=0) == 0].any()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("class_weight", [None, "sqrt", "balanced"])
@pytest.mark.parametrize("multilabel", [False, True])
def test_solution_is_stationary(multilabel, class_weight, weighted):
    """``w = γ w⁰ + Σ α y x`` with ``α = 2 C max(0, 1 − y f)``; also for terms of one document."""
    X, y = collection()
    if multilabel:
        y = indicator()
    weights = np.random.default_rng(3).integers(0, 3, len(y)) if weighted else None
    model = RefinedProjection(0.2, class_weight=class_weight, **EXACT)
    model.fit(X, y, sample_weight=weights)
    costs = np.ones(len(y)) if weights is None else weights
    signed = 2 * y - 1 if multilabel else signs(model, y)
    inside = costs @ (signed > 0)
    power = {None: 0, "sqrt": 0.5, "balanced": 1}[class_weight]
    factors = np.where(signed > 0, ((costs.sum() - inside) / inside) ** power, 1)
    alphas = 2 * model.C * factors * costs[:, None]
    alphas = alphas * np.maximum(0, 1 - signed * model.transform(X))
    x = weighed(model, X)
    assert_allclose(model.weights_ - model.prior_, x.T @ (alphas * signed), atol=1e-4)
    assert_allclose(model.intercept_, (alphas * signed).sum(axis=0), atol=1e-4)


def test_prior_is_the_log_relative_risk_in_proportion_to_the_size_of_the_class():
    X, y = collection()
    model = RefinedProjection(0.3, prior_support=50).fit(X, y)
    n = np.bincount(y)
    A = np.array([(X.toarray()[y == k] > 0).sum(axis=0) for k in range(4)]).T
    B = (X.toarray() > 0).sum(axis=0)[:, None] - A
    risk = np.log((A + 0.5) / (n + 1) / ((B + 0.5) / (len(y) - n + 1)))
    smaller = np.minimum(n, len(y) - n)
    assert_allclose(
        model.prior_,
        np.where(A + B > 0, 0.3 * smaller / (smaller + 50) * risk, 0),
        rtol=1e-5, atol=1e-6,
    )  # fmt: skip
    assert model.stats_ == TermStats.from_matrix(X, y)
    assert not RefinedProjection(0).fit(X, y).prior_.any()


def test_tolerance_bounds_the_distance_from_the_optimum():
    X, y = collection()
    exact = RefinedProjection(**EXACT).fit(X, y)
    errors = [
        np.abs(RefinedProjection(tol=tol).fit(X, y).weights_ - exact.weights_).max()
        for tol in (1e-1, 2e-3, 1e-6)
    ]
    assert errors[0] > errors[1] > errors[2]
    assert errors[1] < 0.05
    assert (RefinedProjection(max_epochs=2).fit(X, y).n_epochs_ <= 2).all()


# -- what must not matter ---------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 20, 37])
def test_threads_change_nothing(n_classes):
    X, y = collection(200, 150, n_classes)
    one = RefinedProjection(n_jobs=1).fit(X, y)
    for n_jobs in (2, 4, -1):
        other = RefinedProjection(n_jobs=n_jobs).fit(X, y)
        assert_array_equal(one.weights_, other.weights_)
        assert_array_equal(one.intercept_, other.intercept_)
        assert_array_equal(one.n_epochs_, other.n_epochs_)
        assert_allclose(one.temperature_, other.temperature_, rtol=1e-6)


def test_multilabel_is_one_binary_problem_per_class():
    X, y = collection()[0], indicator()
    together = RefinedProjection(class_weight=None).fit(X, y)
    for k in range(y.shape[1]):
        alone = RefinedProjection(class_weight=None).fit(X, y[:, k])
        assert_array_equal(together.weights_[:, k], alone.weights_[:, 0])
        assert_array_equal(together.predict(X)[:, k], alone.predict(X))


def test_form_of_labels_and_matrix_does_not_matter():
    X, y = collection()
    names = np.array(["d", "c", "b", "a"])[y]
    wanted = RefinedProjection().fit(X, names)
    for matrix in (X.toarray(), X.tocsc(), X.astype(np.float32), sp.coo_array(X)):
        assert_array_equal(RefinedProjection().fit(matrix, names).weights_, wanted.weights_)
    listed = RefinedProjection(class_weight=None).fit(X, [[name] for name in names])
    assert_array_equal(listed.weights_, wanted.weights_)
    assert_array_equal(listed.predict(X)[:, 0], wanted.transform(X)[:, 0] > 0)


def test_random_state():
    X, y = collection()
    first, again, other = (RefinedProjection(random_state=s).fit(X, y) for s in (5, 5, 6))
    assert_array_equal(first.weights_, again.weights_)
    assert (first.weights_ != other.weights_).any()
    plain = RefinedProjection(random_state=5, probability=False).fit(X, y)
    assert_array_equal(first.weights_, plain.weights_)
    assert not hasattr(plain, "predict_proba")


def test_repeated_rows_are_weighted_rows():
    X, y = collection()
    times = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    weighted = RefinedProjection(**EXACT).fit(X, y, sample_weight=times)
    repeated = RefinedProjection(**EXACT).fit(X[rows], y[rows])
    assert_allclose(weighted.idf_, repeated.idf_ * (repeated.idf_ > 0), atol=1e-12)
    assert_allclose(weighted.weights_, repeated.weights_, atol=1e-4)


def test_rare_terms_can_be_left_out():
    X, y = collection()
    kept = (X.toarray() > 0).sum(axis=0) >= 3
    model = RefinedProjection(min_df=3).fit(X, y)
    pruned = RefinedProjection().fit(X[:, kept], y)
    assert_array_equal(model.weights_[kept], pruned.weights_)
    assert not model.weights_[~kept].any()
    assert_array_equal(model.transform(X), pruned.transform(X[:, kept]))


def test_blocks_cover_all_classes_and_fit_the_kernels():
    for n_classes in range(1, 100):
        for n_threads in range(1, 9):
            blocks = class_blocks(n_classes, n_threads)
            covered = [k for block in blocks for k in range(block.start, block.stop)]
            assert covered == list(range(n_classes))
            assert all(0 < block.stop - block.start <= WIDTHS[-1] for block in blocks)


# -- costs ------------------------------------------------------------------------------------


def test_class_weights():
    X, y = collection(n_classes=3)
    n = np.bincount(y)
    ratio = (len(y) - n) / n
    for name, values in (("balanced", ratio), ("sqrt", np.sqrt(ratio)), ("auto", ratio**0)):
        named = RefinedProjection(class_weight=name).fit(X, y)
        given = RefinedProjection(class_weight=dict(enumerate(values))).fit(X, y)
        assert_allclose(named.weights_, given.weights_, atol=1e-6)
    labels = indicator()
    auto, root = (RefinedProjection(class_weight=w).fit(X, labels) for w in ("auto", "sqrt"))
    assert_array_equal(auto.weights_, root.weights_)

    both = RefinedProjection(C=1, class_weight={0: 3, 1: 3}).fit(X, y > 0)
    dearer = RefinedProjection(C=3).fit(X, y > 0)
    assert_allclose(both.weights_, dearer.weights_, atol=1e-6)


def test_a_class_without_documents_is_never_predicted():
    X, y = collection()[0], indicator()
    y[:, 2] = 0
    model = RefinedProjection().fit(X, y)
    assert not model.predict(X)[:, 2].any()
    assert model.predict_proba(X)[:, 2].max() < 0.5


# -- input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [("sublinear_tfidf", {"sublinear_tf": True}), ("tfidf", {}), ("count", {"use_idf": False}),
     ("sublinear", {"use_idf": False, "sublinear_tf": True})],
)  # fmt: skip
@pytest.mark.parametrize("norm", ["l2", None])
def test_weighting_is_that_of_scikit_learn(name, options, norm):
    X, y = collection()
    X = X[:, X.sum(axis=0) > 0]
    model = RefinedProjection(input_weight=name, norm=norm).fit(X, y)
    wanted = TfidfTransformer(norm=norm, **options).fit_transform(X)
    found = model._weighting()(X)
    assert_allclose(found.toarray(), wanted.toarray(), rtol=1e-5)
    assert_allclose(
        model.transform(X), wanted @ model.weights_ + model.intercept_, rtol=1e-3, atol=1e-4
    )


def test_binary_weights_see_no_counts():
    X, y = collection()
    model = RefinedProjection(input_weight="binary").fit(X, y)
    assert_array_equal(model.transform(X), model.transform(X > 0))


def test_documents_without_known_terms_get_the_bias():
    X, y = collection()
    X = sp.csr_array(sp.vstack([X, sp.csr_array((3, X.shape[1]), dtype=X.dtype)]))
    y = np.append(y, [0, 1, 1])
    model = RefinedProjection().fit(X, y)
    assert np.isfinite(model.weights_).all()
    unknown = np.flatnonzero(X.sum(axis=0) == 0)
    Z = np.zeros((2, X.shape[1]))
    Z[1, unknown] = 5
    assert_array_equal(model.transform(Z), [model.intercept_] * 2)
    assert np.isfinite(model.predict_proba(Z)).all()


def test_all_documents_empty():
    model = RefinedProjection().fit(np.zeros((6, 3)), list("aabbcc"))
    assert_array_equal(model.weights_, 0)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [([[1, -1], [0, 1]], [0, 1], "Negative"), ([[1, np.nan], [0, 1]], [0, 1], "NaN"),
     ([[1, np.inf], [0, 1]], [0, 1], "infinity"), ([[1, 1], [0, 1]], ["x", "x"], "one class"),
     ([[1, 1], [0, 1]], [0, 1, 1], "rows"), ([[1, 1], [0, 1]], None, "requires y"),
     ([[1, 1], [0, 1]], [0.5, 1.3], "continuous")],
)  # fmt: skip
def test_bad_data(X, y, message):
    with pytest.raises(ValueError, match=message):
        RefinedProjection().fit(X, y)


def test_one_class_is_an_error_that_names_it():
    with pytest.raises(StatsError, match="'x'"):
        RefinedProjection().fit([[1], [2]], ["x", "x"])


@pytest.mark.parametrize(
    "bad",
    [{"C": 0}, {"prior": -1}, {"tol": -1}, {"max_epochs": 0}, {"input_weight": "idf"},
     {"norm": "l1"}, {"class_weight": "even"}, {"class_weight": {"z": 1}}, {"prior_support": -1},
     {"min_df": 0}, {"n_jobs": 0}],
)  # fmt: skip
def test_bad_parameters(bad):
    X, y = collection(20, 10, 2)
    with pytest.raises(ValueError, match=next(iter(bad))):
        RefinedProjection(**bad).fit(X, y)


# -- use --------------------------------------------------------------------------------------


def test_features_are_named_by_classes():
    X, y = collection(n_classes=3)
    model = RefinedProjection().fit(X, np.array(["x", "y", "z"])[y])
    assert model.get_feature_names_out().tolist() == ["x", "y", "z"]
    assert_array_equal(model.decision_function(X), model.transform(X))
    assert_array_equal(model.fit_transform(X, y), RefinedProjection().fit(X, y).transform(X))
    two = RefinedProjection().fit(X, y > 0)
    assert two.get_feature_names_out().tolist() == ["True"]
    assert two.transform(X).shape == (120, 1)
    assert two.decision_function(X).shape == (120,)
    assert_array_equal(two.decision_function(X) > 0, two.predict(X))


def test_works_in_a_pipeline_and_a_search():
    texts = ["red apple", "green apple", "red cherry", "fast car", "red car", "slow car"] * 5
    y = ["fruit", "fruit", "fruit", "car", "car", "car"] * 5
    pipeline = make_pipeline(CountVectorizer(), RefinedProjection())
    search = GridSearchCV(pipeline, {"refinedprojection__C": [0.1, 1]}, cv=2).fit(texts, y)
    assert search.predict(["a red apple", "a very fast car"]).tolist() == ["fruit", "car"]


def test_clone_and_pickle():
    X, y = collection()
    model = RefinedProjection(C=3, class_weight={0: 2.0}).fit(X, y)
    assert clone(model).get_params() == model.get_params()
    loaded = pickle.loads(pickle.dumps(model))
    assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


# -- probabilities ----------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 5])
def test_probabilities_fit_new_documents(n_classes):
    X, y = collection(3000, 300, n_classes, noise=0.1)
    model = RefinedProjection().fit(X[:1500], y[:1500])
    probability = model.predict_proba(X[1500:])
    assert_allclose(probability.sum(axis=1), 1)
    assert_array_equal(probability.argmax(axis=1), model.predict(X[1500:]))

    margins = model.transform(X[1500:])
    if n_classes == 2:
        margins = np.hstack([-margins, margins])
    best = fit_temperature(margins, y[1500:], np.ones(1500))
    assert model.temperature_ == pytest.approx(best, rel=0.25)
    ideal = model.predict_proba(X[1500:]) ** (best / model.temperature_)
    ideal /= ideal.sum(axis=1, keepdims=True)
    assert log_loss(y[1500:], probability) < log_loss(y[1500:], ideal) + 0.01

    on_seen = np.hstack([-model.transform(X[:1500]), model.transform(X[:1500])])
    if n_classes > 2:
        on_seen = model.transform(X[:1500])
    assert fit_temperature(on_seen, y[:1500], np.ones(1500)) > 1.2 * model.temperature_


def test_probabilities_of_several_labels():
    rng = np.random.default_rng(0)
    y = indicator(3000)
    rates = rng.gamma(0.1, 0.3, (5, 300))
    X = sp.csr_array(rng.poisson(y @ rates + 0.02))
    model = RefinedProjection().fit(X[:2000], y[:2000])
    probability = model.predict_proba(X[2000:])
    assert_allclose(probability.mean(axis=0), y[2000:].mean(axis=0), atol=0.05)
    for low in (0.0, 0.2, 0.8):
        chosen = (probability >= low) & (probability < low + 0.2)
        assert y[2000:][chosen].mean() == pytest.approx(probability[chosen].mean(), abs=0.1)


def test_sigmoids_of_classes_without_an_example_are_those_of_all():
    margins = np.random.default_rng(0).normal(size=(50, 3))
    truth = (margins + np.random.default_rng(1).normal(size=(50, 3)) > 0).astype(float)
    truth[:, 2] = 0
    slopes, offsets = fit_sigmoids(margins, truth, np.ones(50))
    assert np.isfinite(slopes).all()
    assert (slopes > 0).all()
    assert offsets[2] < min(offsets[:2])


def test_temperature_of_margins_never_wrong_is_finite():
    margins = np.array([[5.0, -5.0], [-5.0, 5.0]])
    assert fit_temperature(margins, np.array([0, 1]), np.ones(2)) < 1


# -- kernels ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_descent_is_that_of_its_twin(width):
    X, _ = collection(30, 20)
    x = sp.csr_array(X, dtype=np.float32) / 4
    rng = np.random.default_rng(0)
    y = np.where(rng.random((30, width)) < 0.3, 1, -1).astype(np.float32)
    squares = np.asarray(x.multiply(x).sum(axis=1)).ravel() + 1
    own_sums, own_squares = rng.random((2, 30)).astype(np.float32)
    doc_costs = rng.random(30).astype(np.float32) + 0.5
    per_class = lane_table(5, width)
    per_class["lanes"][:] = rng.random((5, width)) / 2
    per_class["lanes"][0] = np.arange(width) % 3 > 0 if width > 1 else 1
    tables = [lane_table(rows, width) for rows in (30, 30, 20, 2)]
    tables[0]["lanes"][:] = y
    order = rng.permutation(30)
    matrix = x.indptr, x.indices, x.data
    docs = DocTables(*matrix, squares.astype(np.float32), own_sums, own_squares, doc_costs)
    descend(order, docs, per_class, *tables)

    moving, mean, by_sign, own_mean, own_by_sign = per_class["lanes"].astype(float)
    w, b, gain, alphas = np.zeros((20, width)), np.zeros(width), 0, np.zeros((30, width))
    for d in order:
        own = own_sums[d] * (own_mean + y[d] * own_by_sign)
        damping = (mean + y[d] * by_sign) / doc_costs[d]
        gradient = y[d] * (x[[d]].toarray()[0] @ w + b + own) - 1
        gradient += alphas[d] * (damping + own_squares[d])
        curvature = squares[d] + 1 + damping
        step = moving * (np.maximum(alphas[d] - gradient / curvature, 0) - alphas[d])
        gain = gain - step * gradient - curvature * step**2 / 2
        alphas[d] += step
        b = b + step * y[d]
        w += np.outer(x[[d]].toarray()[0], step * y[d])
    signs_, found_alphas, found_w, state = (table["lanes"] for table in tables)
    assert_array_equal(signs_, y)
    assert_allclose(found_alphas, alphas, atol=1e-5)
    assert_allclose(found_w, w, atol=1e-5)
    assert_allclose(state, [b, gain], rtol=1e-4, atol=1e-5)


def test_by_rank_takes_columns_in_order():
    X, _ = collection()
    columns = np.random.default_rng(0).permutation(X.shape[1])[:77]
    rank = np.full(X.shape[1], -1)
    rank[columns] = np.arange(77)
    weights = X.data.astype(np.float32)
    indptr, indices, data, squares, _, _ = by_rank(X.indptr, X.indices, weights, rank, 77, 77)
    taken = sp.csr_array((data, indices, indptr), (X.shape[0], 77))
    assert_array_equal(taken.toarray(), X.toarray()[:, columns])
    assert_array_equal(squares, (taken.toarray() ** 2).sum(axis=1))


def test_by_rank_sets_terms_of_one_row_apart():
    X = sp.csr_array(np.array([[1, 0, 2, 0], [0, 3, 4, 0], [5, 0, 0, 6]], np.float32))
    rank = np.array([0, 2, 1, 3])  # the last two are of one row each
    indptr, indices, data, squares, rows, values = by_rank(X.indptr, X.indices, X.data, rank, 2, 4)
    taken = sp.csr_array((data, indices, indptr), (3, 2))
    assert_array_equal(taken.toarray(), [[1, 2], [0, 4], [5, 0]])
    assert_array_equal(squares, [5, 16, 25])
    assert_array_equal(rows, [1, 2])
    assert_array_equal(values, [3, 6])


def test_lane_tables_begin_at_cache_lines():
    for width in WIDTHS:
        table = lane_table(3, width)
        assert table.ctypes.data % 64 == 0
        assert not table["lanes"].any()
