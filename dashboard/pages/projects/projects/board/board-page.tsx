import { useNavigate } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import type { Project, ProjectStatus } from '../../../../api/projects.ts'
import { useCanCreateProjects } from '../../../../api/workspaces.ts'
import { focusedRow, focusRow } from '../../../../frame/list-keys.ts'
import { usePageKeys } from '../../../../frame/page-keys.ts'
import { setStatus } from '../project-actions.ts'
import { useProjectCommands, useProjectKeys } from '../project-commands.ts'
import { STATUS_NAMES } from '../project-labels.ts'
import { ProjectsFrame } from '../projects-frame.tsx'
import type { ProjectsSearch } from '../projects-search.ts'
import { collectTags, useFilter } from '../use-projects.ts'
import { BoardColumn, useColumn } from './board-column.tsx'

/** Cards also move by menu, or with Shift and an arrow key. */
export function BoardPage({ search }: { search: ProjectsSearch }) {
  const navigate = useNavigate()
  const filter = useFilter(search)
  const [dragged, setDragged] = useState<Project>()
  const active = useColumn(filter, 'active')
  const completed = useColumn(filter, 'completed')
  const archived = useColumn(filter, 'archived')
  const columns: Record<ProjectStatus, ReturnType<typeof useColumn>> = { active, completed, archived }
  const items = useItems(active.items, completed.items, archived.items)
  const tags = useMemo(() => collectTags(items), [items])
  const { commands, dialogs, renamingId } = useProjectCommands(items, search)
  const create = () => void navigate({ to: '/projects/new', search })
  useProjectKeys({ items, commands, create, canCreate: useCanCreateProjects() })
  useBoardKeys(items)
  const lists = STATUS_NAMES.map((status) => columns[status].list)
  const isLoaded = lists.every(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData)
  return (
    <ProjectsFrame
      search={search}
      count={isLoaded && lists.every(({ hasNextPage }) => !hasNextPage) ? items.length : undefined}
      isEmpty={isLoaded && items.length === 0}
      tags={tags}
      selectionBar={undefined}
      dialogs={dialogs}
    >
      {!(isLoaded && items.length === 0) && (
        <div className="flex h-full snap-x snap-mandatory gap-12 overflow-x-auto scroll-px-16 px-16 py-12 md:px-24">
          {STATUS_NAMES.map((status) => (
            <BoardColumn
              key={status}
              status={status}
              column={columns[status]}
              commands={commands}
              renamingId={renamingId}
              dragged={dragged}
              onDrag={setDragged}
            />
          ))}
        </div>
      )}
    </ProjectsFrame>
  )
}

const useItems = (...[active, completed, archived]: [Project[], Project[], Project[]]) =>
  useMemo(() => [...active, ...completed, ...archived], [active, completed, archived])

function useBoardKeys(items: Project[]): void {
  const movedId = useRef<string>(undefined)
  // The card is a different element in the other column.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the card has moved.
  useEffect(() => {
    if (movedId.current) focusRow(movedId.current)
    movedId.current = undefined
  }, [items])
  const move = (step: 1 | -1) => () => {
    const id = focusedRow()
    const project = items.find((item) => item.id === id)
    const status = project && STATUS_NAMES[STATUS_NAMES.indexOf(project.status) + step]
    if (!status || !project.canEdit) return false
    movedId.current = project.id
    void setStatus(project, status)
  }
  usePageKeys([
    { label: t`Move one column right`, keys: 'shift+ArrowRight', icon: ArrowRight, run: move(1) },
    { label: t`Move one column left`, keys: 'shift+ArrowLeft', icon: ArrowLeft, run: move(-1) },
  ])
}
