import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useFilter } from './clean-search.ts'
import { projectColumns } from './project-columns.tsx'
import { useProjectKeys } from './project-keys.ts'
import { ProjectsFrame } from './projects-frame.tsx'
import type { ProjectsSearch } from './projects-search.ts'
import { SelectionBar } from './selection/selection-bar.tsx'
import { useSelection } from './selection/use-selection.ts'
import { useProjectCommands } from './use-project-commands.ts'
import { tagsOf, useProjects, useWorkspaceNames } from './use-projects.ts'

export function ListPage({ search }: { search: ProjectsSearch }) {
  const navigate = useNavigate()
  const { list, items } = useProjects(useFilter(search), search.fav === 'first')
  const tags = useMemo(() => tagsOf(items), [items])
  const workspaces = useWorkspaceNames()
  const { commands, dialogs, renamingId } = useProjectCommands(items, search)
  const create = () => void navigate({ to: '/projects/new', search })
  useProjectKeys({ items, commands, create, canCreate: useCanCreateProjects() })
  const { count: selectedCount, order } = useSelection(items)
  const allWorkspaces = search.workspace === 'all'
  const columns = useMemo(
    () => projectColumns({ commands, renamingId, workspaces, allWorkspaces, order }),
    [commands, renamingId, workspaces, allWorkspaces, order],
  )
  const isComplete = items.length > 0 && !list.hasNextPage && !list.isPlaceholderData
  return (
    <ProjectsFrame
      search={search}
      count={isComplete ? items.length : undefined}
      isEmpty={list.data !== undefined && items.length === 0 && !list.isPlaceholderData}
      tags={tags}
      selectionBar={selectedCount > 0 ? <SelectionBar items={items} /> : undefined}
      dialogs={dialogs}
    >
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {items.length > 0 && (
        <div data-selecting={selectedCount > 0 || undefined}>
          <Table
            label="Projects"
            columns={columns}
            rows={items}
            rowKey={(project) => project.id}
            version={(project) => project.updatedAt}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </div>
      )}
    </ProjectsFrame>
  )
}
