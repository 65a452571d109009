"""Projects, agents, members, and the scope rows that memory files hang on.

Called by the pages of projects and agents, by imports and by `services.files`. Ids are slugs that never change;
names may. Archived projects and agents can be read, not written.
"""

from memoryadmin.services.scopes.agents import (
    AgentCard,
    agents,
    archive_agent,
    create_agent,
    edit_agent,
    read_agent,
    unarchive_agent,
)
from memoryadmin.services.scopes.members import Member, members, remove_member, set_member
from memoryadmin.services.scopes.projects import (
    ProjectCard,
    archive_project,
    create_project,
    edit_project,
    project_scope,
    projects,
    read_project,
    unarchive_project,
)
from memoryadmin.services.scopes.rows import (
    MOST_SCOPES,
    ArchivedError,
    ScopeCard,
    card_of,
    cards_by_id,
    cards_for,
    ensure,
    locked_row,
    read_scope,
    require_writable,
    scopes_of,
    visible_row,
)

__all__ = [
    "MOST_SCOPES",
    "AgentCard",
    "ArchivedError",
    "Member",
    "ProjectCard",
    "ScopeCard",
    "agents",
    "archive_agent",
    "archive_project",
    "card_of",
    "cards_by_id",
    "cards_for",
    "create_agent",
    "create_project",
    "edit_agent",
    "edit_project",
    "ensure",
    "locked_row",
    "members",
    "project_scope",
    "projects",
    "read_agent",
    "read_project",
    "read_scope",
    "remove_member",
    "require_writable",
    "scopes_of",
    "set_member",
    "unarchive_agent",
    "unarchive_project",
    "visible_row",
]
