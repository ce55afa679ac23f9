.PHONY: install test lint format docs refresh coverage kernels bench tables studies

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

docs:  ## the site, in docs/_build/html; a warning is an error
	python -m sphinx -E -W --keep-going -q -b html docs docs/_build/html

refresh:  ## write what the code in the documentation prints today into its pages
	python tools/refresh_docs.py README.md
	python tools/refresh_docs.py

coverage:  ## lines reached, of Python and, uncompiled, of kernels
	python tools/measure_coverage.py

kernels:  ## forget compiled kernels; needed after editing a kernel that another file inlines
	find src -name '*.nb[ic]' -delete

bench:  ## needs TERMFOLD_DATA and the bench extra
	for script in benchmarks/bench_*.py; do python $$script; done

tables:  ## what the documentation shows of the results
	python benchmarks/make_tables.py
	python benchmarks/make_figures.py
	python benchmarks/core_tables.py
	python benchmarks/serve_tables.py
	python benchmarks/make_spark_tables.py

studies:  ## needs TERMFOLD_DATA and the study extra; measures what studies/results lacks
	for name in ocfs fedip best-terms projection beyond; do termfold study $$name; done
