# Two commands: `make run` and `make test`. Both set everything up by themselves, into .venv.

PYTHON := .venv/bin/python
SETUP := packaging/setup.sh

.PHONY: run test check coverage bundle docs clean

run:            ## Open Loci (the terminal chat where there is no display).
	@$(SETUP) run
	@$(PYTHON) -m app

test: check     ## Everything CI checks.
	@packaging/test.sh

check:          ## Format, lint, layers, types.
	@$(SETUP) test
	@.venv/bin/ruff format --check app tests packaging
	@.venv/bin/ruff check app tests packaging
	@.venv/bin/lint-imports --no-cache
	@.venv/bin/mypy

coverage:       ## How much of app/ the tests run; fails below the floor that pyproject.toml sets.
	@$(SETUP) test
	@packaging/test.sh --cov --cov-report=term --cov-report=html

docs:           ## Write the generated pages of resources/docs.
	@$(SETUP) run
	@$(PYTHON) -m app settings docs > resources/docs/settings.md

bundle:         ## Freeze Loci into dist/loci, with code for any 64-bit processor with AVX2.
	@$(SETUP) test
	@packaging/pyinstaller/bundle.sh

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
