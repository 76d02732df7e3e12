import { Archive, CopyPlus, Pencil, Plus, Share2, Trash2 } from 'lucide-react'
import type { Project } from '../../api/projects.ts'
import { focusedRow } from '../../frame/list-keys.ts'
import { type PageKey, usePageKeys } from '../../frame/page-keys.ts'
import type { ProjectIntents } from './project-intents.ts'

interface ProjectKeys {
  items: Project[]
  intents: ProjectIntents
  create: () => void
}

/** The keys of the list; they mean the row that has the focus. */
export function useProjectKeys({ items, intents, create }: ProjectKeys) {
  const withRow = (act: (project: Project) => void, forEditors = true) => {
    return () => {
      const id = focusedRow()
      const project = items.find((item) => item.id === id)
      if (!project || (forEditors && !project.canEdit)) return false
      act(project)
    }
  }
  const keys: PageKey[] = [
    { label: 'New project', keys: 'c', icon: Plus, unlisted: true, run: create },
    { label: 'New project', keys: 'n', icon: Plus, unlisted: true, run: create },
    { label: 'Rename', keys: 'F2', icon: Pencil, run: withRow(intents.startRename) },
    { label: 'Share', keys: 's', icon: Share2, run: withRow(intents.share) },
    { label: 'Duplicate', keys: 'd', icon: CopyPlus, run: withRow(intents.duplicate, false) },
    {
      label: 'Archive, or make active again',
      keys: 'e',
      icon: Archive,
      run: withRow((project) =>
        intents.setStatus(project, project.status === 'archived' ? 'active' : 'archived'),
      ),
    },
    { label: 'Delete', keys: 'Delete', icon: Trash2, run: withRow(intents.remove) },
  ]
  usePageKeys(keys)
}
