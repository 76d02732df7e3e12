import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, projectRef } from '../../api/projects.ts'
import { focusRow } from '../../frame/list-keys.ts'
import { duplicate, remove, rename, setStatus } from './project-actions.ts'
import type { ProjectIntents } from './project-intents.ts'
import type { ProjectsSearch } from './projects-search.ts'

/** What the page does when a row, its menu or a key asks for something. */
export function useProjectIntents(items: Project[], search: ProjectsSearch) {
  const navigate = useNavigate()
  const [sharing, setSharing] = useState<Project>()
  const [renamingId, setRenamingId] = useState<string>()
  const open = (project: Project, panel?: 'settings') =>
    void navigate({ to: '/projects/$ref', params: { ref: projectRef(project) }, search: { panel } })
  const goOnFrom = (project: Project) => {
    const next = neighbour(items, project)
    if (next) requestAnimationFrame(() => focusRow(next.id))
  }
  const intents: ProjectIntents = {
    open: (project) => open(project),
    showSettings: (project) => open(project, 'settings'),
    share: setSharing,
    startRename: (project) => setRenamingId(project.id),
    rename: (project, name) => {
      setRenamingId(undefined)
      if (name) void rename(project, name)
      requestAnimationFrame(() => focusRow(project.id))
    },
    duplicate: (project) => {
      void duplicate(project).then((clone) => clone && requestAnimationFrame(() => focusRow(clone.id)))
    },
    setStatus: (project, status) => {
      goOnFrom(project)
      void setStatus(project, status)
    },
    remove: (project) => {
      goOnFrom(project)
      void remove(project)
    },
    filterByTag: (tag) => void navigate({ to: '/projects', search: { ...search, tag } }),
  }
  return { intents, sharing, stopSharing: () => setSharing(undefined), renamingId }
}

/** The row that will stand where this one stood, so that the keys go on from there. */
function neighbour(items: Project[], { id }: Project): Project | undefined {
  const here = items.findIndex((item) => item.id === id)
  return items[here + 1] ?? items[here - 1]
}
