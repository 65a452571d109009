"""The addresses of the sections about memory, one namespace for each noun.

Ids are slugs that may hold dots, so they are plain strings here; whatever is no id finds nothing. No id can begin
with a sign or be mistaken for a word of an address: words that stand where an id may stand come before it.
"""

from django.urls import URLPattern, path

from memoryadmin.web.views import (
    agents,
    audit,
    creating,
    editing,
    files,
    imports,
    people,
    projects,
    restoring,
    scopes,
    versions,
)

Section = tuple[list[URLPattern], str]

PROJECTS: Section = (
    [
        path("projects/", projects.listing, name="list"),
        path("new-project/", projects.create, name="create"),
        path("projects/<str:project_id>/", projects.detail, name="detail"),
        path("projects/<str:project_id>/edit/", projects.edit, name="edit"),
        path("projects/<str:project_id>/archive/", projects.archive, name="archive"),
        path("projects/<str:project_id>/unarchive/", projects.unarchive, name="unarchive"),
        path("projects/<str:project_id>/members/", projects.set_member, name="set_member"),
        path("projects/<str:project_id>/members/<str:person_id>/remove/", projects.remove_member, name="remove_member"),
    ],
    "projects",
)

AGENTS: Section = (
    [
        path("agents/", agents.listing, name="list"),
        path("projects/<str:project_id>/new-agent/", agents.create, name="create"),
        path("agents/<str:project_id>/<str:slug>/", agents.detail, name="detail"),
        path("agents/<str:project_id>/<str:slug>/edit/", agents.edit, name="edit"),
        path("agents/<str:project_id>/<str:slug>/archive/", agents.archive, name="archive"),
        path("agents/<str:project_id>/<str:slug>/unarchive/", agents.unarchive, name="unarchive"),
    ],
    "agents",
)

PEOPLE: Section = (
    [
        path("people/", people.listing, name="list"),
        path("new-user/", people.create, name="create"),
        path("people/<str:person_id>/", people.detail, name="detail"),
        path("people/<str:person_id>/edit/", people.edit, name="edit"),
        path("people/<str:person_id>/archive/", people.archive, name="archive"),
        path("people/<str:person_id>/unarchive/", people.unarchive, name="unarchive"),
    ],
    "people",
)

SCOPES: Section = (
    [
        path("scopes/<int:scope_id>/", scopes.detail, name="detail"),
        path("scopes/<int:scope_id>/at/<path:path>", scopes.at, name="at"),
        path("new-scope/", creating.begin, name="begin"),
    ],
    "scopes",
)

FILES: Section = (
    [
        path("scopes/<int:scope_id>/new-file/", creating.create, name="create"),
        path("files/<int:file_id>/", files.detail, name="detail"),
        path("files/<int:file_id>/source/", files.source, name="source"),
        path("files/<int:file_id>/raw/", files.raw, name="raw"),
        path("files/<int:file_id>/download/", files.download, name="download"),
        path("files/<int:file_id>/release/", files.release, name="release"),
        path("files/<int:file_id>/edit/", editing.edit, name="edit"),
        path("files/<int:file_id>/rename/", editing.rename, name="rename"),
        path("files/<int:file_id>/delete/", editing.delete, name="delete"),
        path("files/<int:file_id>/history/", versions.history, name="history"),
        path("files/<int:file_id>/compare/", versions.compare, name="compare"),
        path("files/<int:file_id>/versions/<int:seq>/", versions.version, name="version"),
        path("files/<int:file_id>/versions/<int:seq>/download/", versions.download, name="version_download"),
        path("files/<int:file_id>/versions/<int:seq>/restore/", restoring.restore, name="restore"),
        path(
            "files/<int:file_id>/versions/<int:seq>/restore-into/<int:target_id>/",
            restoring.restore_into,
            name="restore_into",
        ),
    ],
    "files",
)

IMPORTS: Section = (
    [
        path("projects/<str:project_id>/import/", imports.begin, name="begin"),
        path("imports/<str:token>/", imports.staged, name="staged"),
        path("imports/<str:token>/discard/", imports.discard, name="discard"),
    ],
    "imports",
)

AUDIT: Section = ([path("audit/", audit.listing, name="list")], "audit")

SECTIONS = (PROJECTS, AGENTS, PEOPLE, SCOPES, FILES, IMPORTS, AUDIT)
