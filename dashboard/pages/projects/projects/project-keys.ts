import { Archive, CopyPlus, Pencil, Plus, Share2, Trash2 } from 'lucide-react'
import type { Project } from '../../../api/projects.ts'
import { focusedRow } from '../../../frame/list-keys.ts'
import { type PageKey, usePageKeys } from '../../../frame/page-keys.ts'
import type { ProjectCommands } from './project-commands.ts'

interface ProjectKeys {
  items: Project[]
  commands: ProjectCommands
  create: () => void
  canCreate: boolean
}

/** The shortcuts of the list; they apply to the focused row. */
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
    { label: 'New project', keys: 'c', icon: Plus, unlisted: true, run: () => canCreate && create() },
    { label: 'New project', keys: 'n', icon: Plus, unlisted: true, run: () => canCreate && create() },
    { label: 'Rename', keys: 'F2', icon: Pencil, run: withRow(commands.startRename) },
    { label: 'Share', keys: 's', icon: Share2, run: withRow(commands.share) },
    { label: 'Duplicate', keys: 'd', icon: CopyPlus, run: withRow(commands.duplicate, false, canCreate) },
    {
      label: 'Archive or reactivate',
      keys: 'e',
      icon: Archive,
      run: withRow((project) =>
        commands.setStatus(project, project.status === 'archived' ? 'active' : 'archived'),
      ),
    },
    { label: 'Delete', keys: 'Delete', icon: Trash2, run: withRow(commands.remove) },
  ]
  usePageKeys(keys)
}
