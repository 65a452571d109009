#!/usr/bin/env python3
"""Run memoryadmin: `python3 manage.py up` starts it, `python3 manage.py test` proves it.

Needs only a bare Python; the rest is prepared on the first run, see memoryadmin/management/bootstrap.py.
This file stays readable to old interpreters, so that they can say what is missing instead of failing on it.
"""

import platform
import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("memoryadmin needs Python 3.11 or newer; " + sys.executable + " is " + platform.python_version() + ".")
if sys.platform == "win32":
    sys.exit("memoryadmin runs on Linux and macOS; on Windows start it inside WSL.")

if __name__ == "__main__":
    from memoryadmin.management import bootstrap

    bootstrap.main(sys.argv)
