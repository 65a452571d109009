# Short names for the commands of manage.py, which prepares its own environment on the first run.
PYTHON ?= python3

.PHONY: run test check format messages lock

run:
	$(PYTHON) manage.py up

test:
	$(PYTHON) manage.py test

check:
	$(PYTHON) manage.py lint
	$(PYTHON) manage.py test

format:
	$(PYTHON) manage.py format

messages:
	$(PYTHON) manage.py messages

lock:
	$(PYTHON) manage.py lock
