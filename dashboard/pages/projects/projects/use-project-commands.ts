import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Project, projectRef } from '../../../api/projects.ts'
import { focusRow } from '../../../frame/list-keys.ts'
import { duplicate, remove, rename, setStatus } from './project-actions.ts'
import type { ProjectCommands } from './project-commands.ts'
import type { ProjectsSearch } from './projects-search.ts'

/** The projects that a dialog is open for. */
export interface OpenDialogs {
  sharing: Project | undefined
  templating: Project | undefined
  close: () => void
}

/** The commands have a stable identity while the list is open, so that a change renders only the affected rows. */
export function useProjectCommands(items: Project[], search: ProjectsSearch) {
  const navigate = useNavigate()
  const [sharing, setSharing] = useState<Project>()
  const [templating, setTemplating] = useState<Project>()
  const [renamingId, setRenamingId] = useState<string>()
  const latest = useRef({ items, search })
  useEffect(() => {
    latest.current = { items, search }
  })
  const commands = useMemo((): ProjectCommands => {
    const open = (project: Project, panel?: 'settings') =>
      void navigate({ to: '/projects/$ref', params: { ref: projectRef(project) }, search: { panel } })
    const focusNeighbor = (project: Project) => {
      const next = neighborOf(latest.current.items, project)
      if (next) requestAnimationFrame(() => focusRow(next.id))
    }
    return {
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
      startFrom: ({ id }) =>
        void navigate({ to: '/projects/new', search: { ...latest.current.search, start: `project:${id}` } }),
      saveAsTemplate: setTemplating,
      setStatus: (project, status) => {
        focusNeighbor(project)
        void setStatus(project, status)
      },
      remove: (project) => {
        focusNeighbor(project)
        void remove(project)
      },
      filterByTag: (tag) => void navigate({ to: '/projects', search: { ...latest.current.search, tag } }),
    }
  }, [navigate])
  const dialogs: OpenDialogs = {
    sharing,
    templating,
    close: () => {
      setSharing(undefined)
      setTemplating(undefined)
    },
  }
  return { commands, dialogs, renamingId }
}

/** The row that takes the position of a removed one, so that keyboard navigation continues there. */
function neighborOf(items: Project[], { id }: Project): Project | undefined {
  const index = items.findIndex((item) => item.id === id)
  return items[index + 1] ?? items[index - 1]
}
