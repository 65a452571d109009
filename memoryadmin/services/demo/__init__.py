"""The demo: a small company of our own writing, loaded into an empty installation.

It comes in through the same services as real work. The text is in the folder `memoryadmin/demo`: `company`
reads it, `calendar` says when it happened, `stage` brings in people and projects, `loading` performs it.
"""

from memoryadmin.services.demo.loading import Account, Demo, accounts, load

__all__ = ["Account", "Demo", "accounts", "load"]
