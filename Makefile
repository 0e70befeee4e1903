# What a player, a host and a developer do with a clone. `make` alone lists it.
# Needs make, git and Python 3.11 or newer; everything else goes into .venv.

BIN := .venv/bin
# These count on make's own command line only: in a shell they may mean anything.
SAID := NAME CAMPAIGN PLACE PORT VERSION
$(foreach each,$(SAID),$(if $(filter-out command line,$(origin $(each))),$(eval $(each) :=)))
export $(SAID)

CAMPAIGNS := gloam jsrogue rltut ruggrogue
LIVES := 1000
SIDES := server client door
SEED := 1
N := 100000
HOURS := 1
COVERED := tests/shared tests/client tests/server tests/scenarios tests/golden
# These start processes and clusters, whose parts no test in one process runs. Most are skipped outside of CI.
COVERED_IN_CI := tests/lab tests/server/storage tests/server/link tests/server/cli tests/end_to_end/cluster tests/end_to_end/connections
BASE := python:3.12-slim
TYPES := { $(BIN)/mypy --no-error-summary && $(BIN)/lint-imports; } > .venv/types.log 2>&1

# Python keeps what it has compiled, else each of a hundred starts compiles all of it again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play join serve doors test coverage lint style audit release pin bench bench-page bench-growth crash fuzz simulate lives protocol rules screenshots page-pictures clean

help:  ## List what can be made
	@awk -F ' *## *' '/^[a-z-]+:.*## / { split($$1, t, ":"); printf "  make %-14s %s\n", t[1], $$2 }' Makefile

play: .venv/player  ## Play: your own dungeon on this machine [NAME=Ann CAMPAIGN=jsrogue]
	@$(BIN)/gloam $(if $(NAME),--name "$$NAME",--straight) $(if $(CAMPAIGN),--campaign "$$CAMPAIGN")

# Without a name the last one would be taken, and with it the body of `make play`.
join: .venv/player  ## Join the dungeon of `make play`, or one elsewhere [NAME=Bert CAMPAIGN=jsrogue PLACE=HOST:PORT]
	@$(BIN)/gloam join $(if $(PLACE),"$$PLACE") $(if $(NAME),--name "$$NAME",$(if $(PLACE),,--name Friend)) $(if $(CAMPAIGN),--campaign "$$CAMPAIGN")

# Each campaign has a folder of its own for its world.
serve: .venv/player  ## Host a dungeon for this machine; for others see server/HOSTING.md [CAMPAIGN=rltut PORT=7400]
	@$(BIN)/gloam-server run $(if $(PORT),--port "$$PORT") $(if $(CAMPAIGN),--campaign "$$CAMPAIGN") \
	  $(if $(filter-out gloam,$(CAMPAIGN)),--data "gloam-data-$$(basename "$$CAMPAIGN")")

doors: .venv/door  ## Host a dungeon that friends join by a link or by ssh, on this machine
	@$(BIN)/gloam-server run --data gloam-data --open --door-socket door.sock > gloam-data.log 2>&1 & world=$$!; \
	trap 'kill $$world 2> /dev/null; wait $$world' EXIT; \
	until test -S gloam-data/door.sock; do kill -0 $$world 2> /dev/null || { cat gloam-data.log >&2; exit 1; }; sleep 0.2; done; \
	$(BIN)/gloam-door run --data gloam-door --server gloam-data/door.sock

# The types are checked beside the tests, which often wait; their faults stand at the end of the output. Once, a single
# process compiles all tests first: to rewrite their assertions takes longer than to collect them, and all processes of the
# run would do it at the same time.
test: style  ## All checks and all tests
	@$(TYPES) & types=$$!; trap 'kill $$types 2> /dev/null' EXIT; \
	test -e .venv/compiled || $(BIN)/python -m pytest --collect-only -qq > /dev/null && touch .venv/compiled; \
	$(BIN)/python -m pytest -n auto --dist worksteal; tests=$$?; \
	wait $$types || { cat .venv/types.log; exit 1; }; exit $$tests

coverage: .venv/developer  ## Measure branch coverage, processes included; below the floor it fails; takes fifteen minutes
	@rm -rf .venv/coverage
	@$(BIN)/python -m coverage run -m pytest -q -n auto --dist worksteal $(COVERED)
	@CI=true $(BIN)/python -m coverage run -m pytest -q -n 4 --dist worksteal $(COVERED_IN_CI)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

lint: style  ## Style, types and layers
	@$(TYPES) || { cat .venv/types.log; exit 1; }

style: .venv/developer
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .

audit: .venv/player  ## Look for known vulnerabilities in what the image installs [OFFLINE_OK=1]
	@$(BIN)/python tests/audit.py .venv/audit $(if $(OFFLINE_OK),--offline-ok)

release: .venv/developer  ## Cut, or build and try a release [VERSION=0.3.0 DATE=2026-01-31]
	@$(BIN)/python tests/release.py $(if $(VERSION),--version "$$VERSION" --date "$(DATE)")

pin:  ## Pin the base of the image to the digest that its registry has now
	@docker pull --quiet $(BASE) > /dev/null
	@digest=$$(docker image inspect --format '{{index .RepoDigests 0}}' $(BASE) | sed 's/.*@//') && test -n "$$digest" && \
	  sed -i "s|^ARG PYTHON_IMAGE=.*|ARG PYTHON_IMAGE=$(BASE)@$$digest|" server/Dockerfile && \
	  echo "The image is built from $(BASE)@$$digest"

bench: .venv/developer  ## Measure latency, load, starts and snapshots; takes fifteen minutes
	@cd tests && ../$(BIN)/python -m benchmarks

bench-page: .venv/developer  ## Write the figures of the last `make bench` into server/docs/performance-figures.md
	@cd tests && ../$(BIN)/python -m benchmarks page

bench-growth: .venv/developer  ## Measure how costs grow with players, creatures, levels and the journal
	@cd tests && ../$(BIN)/python -m benchmarks growth --plot ../server/docs/growth

crash: .venv/developer  ## Kill a server under twenty bots, again and again [N=1000 SEED=7 MOMENT=salvage]
	@$(BIN)/python tests/crash/run.py --seed $(SEED) --kills $(if $(filter file,$(origin N)),50,$(N)) $(if $(MOMENT),--moment $(MOMENT))
	@$(if $(MOMENT),,$(BIN)/python tests/crash/steps.py --seed $(SEED) --kills $(if $(filter file,$(origin N)),200,$(N)))

fuzz: .venv/developer  ## Send hostile inputs to server, client and door [N=2000000 SEED=7]
	@for side in $(or $(SIDE),$(SIDES)); do \
	  $(BIN)/python tests/fuzz/run.py --side $$side --seed $(SEED) --inputs $(N) $(if $(AT),--at $(AT)) || exit 1; \
	  if [ "$$side" = door ] && [ -z "$(AT)" ]; then $(BIN)/python tests/fuzz/confine.py --seed $(SEED) || exit 1; fi; \
	done

simulate: .venv/developer  ## Simulate hours of faults in virtual time [HOURS=1 CLUSTER=1]
	@$(BIN)/python tests/simulation/run.py --hours $(HOURS) $(if $(CLUSTER),--cluster)

lives: .venv/developer  ## Play the tables of balance again; continues where it stopped [DATE=2026-01-31 CAMPAIGNS=gloam PLAYERS=1 LIVES=1000 JOBS=1]
	@test -n "$(DATE)" || { echo "make lives: tell the day, such as: make lives DATE=2026-01-31" >&2; exit 1; }
	@mkdir -p server/balance build/lives
	@for campaign in $(CAMPAIGNS); do \
	  case $$campaign in gloam) parties="1 2 4 8"; heirs=5;; *) parties="1 4"; heirs=1;; esac; \
	  for players in $(or $(PLAYERS),$$parties); do \
	  set -- lives --campaign $$campaign --lives $(LIVES) --players $$players --heirs $$heirs --seed 1; \
	  table=server/balance/$$campaign-$$players.txt; \
	  content=$$($(BIN)/python -c "from gloam_server.app.campaign_files import read_campaign as r; print(r('$$campaign').digest[:8])") || exit 1; \
	  work=build/lives/$$campaign-$$players-$$content.jsonl; \
	  $(BIN)/gloam-server "$$@" --resume $$work --json build/lives/summary.json $(if $(JOBS),--jobs $(JOBS)) > build/lives/table.txt || exit 1; \
	  { echo "gloam-server $$*"; \
	    echo "version $$($(BIN)/gloam-server --version | sed 's/.* //'), $(DATE), content $$content"; \
	    echo; cat build/lives/table.txt; } > $$table; \
	  cp build/lives/summary.json server/balance/$$campaign-$$players.json; \
	done; done

duels: .venv/developer  ## Fight duels that each word of danger names, and print what they cost [COUNT=1000 FIRST=1]
	@cd tests && ../$(BIN)/python -m support.balance.duels $(or $(COUNT),1000) $(or $(FIRST),1)

protocol: .venv/developer  ## Write shared/protocol.json and shared/conversation.txt again
	@$(BIN)/python -m gloam_lab.schema > .venv/protocol.json && cp .venv/protocol.json shared/protocol.json
	@$(BIN)/python tests/support/protocol/conversation.py

screenshots: .venv/developer  ## Play the client by a script, and draw its pictures in client/docs again
	@cd tests && ../$(BIN)/python -m support.pictures.scenes && ../$(BIN)/python -m support.pictures.places

page-pictures: .venv/developer  ## Draw the pictures of the browser's page in client/docs again, with Chromium
	@cd tests && ../$(BIN)/python -m support.door.page_pictures ../client/docs

rules: .venv/developer  ## Write the tables of numbers in server/docs/ again
	@cd tests && ../$(BIN)/python -m support.documents.rule_tables

clean:  ## Remove .venv and everything that was built
	rm -rf .venv build dist .hypothesis .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is made once, and again when pyproject.toml changes. Python compiles what is imported: to compile
# everything at once would take as long again.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable
.venv/player: pyproject.toml | .venv/made
	@echo "Installing Gloam into .venv (once) ..."
	@$(INSTALL) '.[server]'
	@touch $@

.venv/door: pyproject.toml | .venv/made
	@echo "Installing Gloam and its doors into .venv (once) ..."
	@$(INSTALL) '.[server,door]'
	@touch $@ .venv/player

.venv/developer: pyproject.toml | .venv/made
	@echo "Installing Gloam and its test tools into .venv (once) ..."
	@$(INSTALL) '.[server,door,dev]'
	@touch $@ .venv/player

.venv/made:
	@found=none lacking=; \
	for python in python3.13 python3.12 python3.11 python3; do \
	  version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
	  found=$$version; \
	  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || continue; \
	  $$python -c 'import ensurepip, venv' 2>/dev/null || { lacking=$$python; continue; }; \
	  $$python -m venv .venv && touch $@ && exit 0; \
	done; \
	if [ -n "$$lacking" ]; then \
	  echo "make: $$lacking cannot make virtual environments. Debian/Ubuntu: sudo apt install python3-venv" >&2; \
	else \
	  echo "make: Gloam needs Python 3.11 or newer; found $$found. Install one, such as python3.12, and try again." >&2; \
	fi; \
	exit 1
