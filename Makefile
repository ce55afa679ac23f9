.PHONY: install test lint format kernels bench studies

install:  ## everything a developer needs, editable
	pip install -e '.[dev]'

test:
	pytest -n auto

lint:
	ruff check .
	ruff format --check .
	mypy
	lint-imports

format:
	ruff check --fix .
	ruff format .

kernels:  ## forget compiled kernels; needed after editing a kernel that another file inlines
	find src -name '*.nb[ic]' -delete

bench:  ## needs TERMFOLD_DATA and the bench extra
	for script in benchmarks/bench_*.py; do python $$script; done

studies:  ## needs TERMFOLD_DATA and the study extra; measures what studies/results lacks
	for name in ocfs fedip best-terms projection beyond; do termfold study $$name; done
