import { useNavigate } from '@tanstack/react-router'
import { Archive, CopyPlus, Pencil, Plus, Share2, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Project, type ProjectStatus, projectRef } from '../../../api/projects.ts'
import { focusedRow, focusRow } from '../../../frame/list-keys.ts'
import { type PageKey, usePageKeys } from '../../../frame/page-keys.ts'
import { duplicate, remove, rename, setStatus } from './project-actions.ts'
import type { ProjectsSearch } from './projects-search.ts'

export interface OpenDialogs {
  sharing: Project | undefined
  templating: Project | undefined
  close: () => void
}

/** Stable identity, so a change rerenders only affected rows. */
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

/** Keyboard navigation continues here after a row is removed. */
function neighborOf(items: Project[], { id }: Project): Project | undefined {
  const index = items.findIndex((item) => item.id === id)
  return items[index + 1] ?? items[index - 1]
}

/** Shared by rows, menus and keyboard shortcuts. */
export interface ProjectCommands {
  open: (project: Project) => void
  showSettings: (project: Project) => void
  share: (project: Project) => void
  startRename: (project: Project) => void
  rename: (project: Project, name: string | undefined) => void
  duplicate: (project: Project) => void
  /** Opens the new-project dialog with a copy of its canvas. */
  startFrom: (project: Project) => void
  saveAsTemplate: (project: Project) => void
  setStatus: (project: Project, status: ProjectStatus) => void
  remove: (project: Project) => void
  filterByTag: (tag: string) => void
}

interface ProjectKeys {
  items: Project[]
  commands: ProjectCommands
  create: () => void
  canCreate: boolean
}

/** Apply to the focused row. */
export function useProjectKeys({ items, commands, create, canCreate }: ProjectKeys) {
  const withRow = (action: (project: Project) => void, needsEdit = true, isAllowed = true) => {
    return () => {
      const id = focusedRow()
      const project = items.find((item) => item.id === id)
      if (!project || !isAllowed || (needsEdit && !project.canEdit)) return false
      action(project)
    }
  }
  const keys: PageKey[] = [
    { label: t`New project`, keys: 'c', icon: Plus, unlisted: true, run: () => canCreate && create() },
    { label: t`New project`, keys: 'n', icon: Plus, unlisted: true, run: () => canCreate && create() },
    { label: t`Rename`, keys: 'F2', icon: Pencil, run: withRow(commands.startRename) },
    { label: t`Share`, keys: 's', icon: Share2, run: withRow(commands.share) },
    { label: t`Duplicate`, keys: 'd', icon: CopyPlus, run: withRow(commands.duplicate, false, canCreate) },
    {
      label: t`Archive or reactivate`,
      keys: 'e',
      icon: Archive,
      run: withRow((project) =>
        commands.setStatus(project, project.status === 'archived' ? 'active' : 'archived'),
      ),
    },
    { label: t`Delete`, keys: 'Delete', icon: Trash2, run: withRow(commands.remove) },
  ]
  usePageKeys(keys)
}
