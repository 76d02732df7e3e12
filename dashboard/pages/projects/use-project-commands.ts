import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, projectRef } from '../../api/projects.ts'
import { focusRow } from '../../frame/list-keys.ts'
import { duplicate, remove, rename, setStatus } from './project-actions.ts'
import type { ProjectCommands } from './project-commands.ts'
import type { ProjectsSearch } from './projects-search.ts'

export function useProjectCommands(items: Project[], search: ProjectsSearch) {
  const navigate = useNavigate()
  const [sharing, setSharing] = useState<Project>()
  const [renamingId, setRenamingId] = useState<string>()
  const open = (project: Project, panel?: 'settings') =>
    void navigate({ to: '/projects/$ref', params: { ref: projectRef(project) }, search: { panel } })
  const focusNeighbor = (project: Project) => {
    const next = neighborOf(items, project)
    if (next) requestAnimationFrame(() => focusRow(next.id))
  }
  const commands: ProjectCommands = {
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
      focusNeighbor(project)
      void setStatus(project, status)
    },
    remove: (project) => {
      focusNeighbor(project)
      void remove(project)
    },
    filterByTag: (tag) => void navigate({ to: '/projects', search: { ...search, tag } }),
  }
  return { commands, sharing, closeShareDialog: () => setSharing(undefined), renamingId }
}

/** The row that takes the position of a removed one, so that keyboard navigation continues there. */
function neighborOf(items: Project[], { id }: Project): Project | undefined {
  const index = items.findIndex((item) => item.id === id)
  return items[index + 1] ?? items[index - 1]
}
