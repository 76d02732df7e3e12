import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import {
  type Project,
  type ProjectFilter,
  type ProjectStatus,
  projectsQuery,
} from '../../../../api/projects.ts'
import { Failure } from '../../../../components/failure.tsx'
import { Status } from '../../../../components/status.tsx'
import { ScrollEnd } from '../../../../components/table/scroll-end.tsx'
import { setStatus } from '../project-actions.ts'
import { ProjectCard } from '../project-card.tsx'
import type { ProjectCommands } from '../project-commands.ts'
import { STATUSES } from '../project-labels.ts'

interface BoardColumnProps {
  status: ProjectStatus
  column: ReturnType<typeof useColumn>
  commands: ProjectCommands
  renamingId: string | undefined
  dragged: Project | undefined
  onDrag: (project: Project | undefined) => void
}

export function BoardColumn({ status, column, commands, renamingId, dragged, onDrag }: BoardColumnProps) {
  const { list, items } = column
  const [isOver, setOver] = useState(false)
  const { label, meaning } = STATUSES[status]
  const accepts = dragged !== undefined && dragged.status !== status
  return (
    <section
      aria-label={t`${label} projects`}
      onDragOver={(event) => {
        if (!accepts) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDrag(undefined)
        if (accepts) void setStatus(dragged, status)
      }}
      className={`flex w-list min-w-0 shrink-0 snap-start flex-col rounded-panel bg-inset outline-1 transition-colors max-sm:w-full md:flex-1 ${isOver ? 'bg-selection-wash outline-selection' : accepts ? 'outline-dashed outline-selection-line' : 'outline-transparent'}`}
    >
      <h2 className="flex h-row shrink-0 items-center gap-8 px-12 font-medium text-13">
        <Status meaning={meaning}>{label}</Status>
        {list.data && (
          <span className="font-regular text-12 text-neutral-11 tabular-nums">
            {items.length}
            {list.hasNextPage && '+'}
          </span>
        )}
      </h2>
      <div data-scroll className="min-h-0 flex-1 overflow-y-auto px-8 pb-8">
        {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
        {list.data && items.length === 0 && (
          <p className="rounded-panel border border-neutral-6 border-dashed px-12 py-16 text-center text-12 text-neutral-11">
            {EMPTY[status]}
          </p>
        )}
        <ul className="flex flex-col gap-8">
          {items.map((project) => (
            <ProjectCard
              key={project.id}
              project={project}
              commands={commands}
              isRenaming={project.id === renamingId}
              isDragged={project.id === dragged?.id}
              onDrag={onDrag}
            />
          ))}
        </ul>
        <ScrollEnd list={list} loaded={items.length} />
      </div>
    </section>
  )
}

const EMPTY: Record<ProjectStatus, string> = {
  active: t`No active projects.`,
  completed: t`Drag finished projects here.`,
  archived: t`Drag projects here to archive them.`,
}

export function useColumn(filter: ProjectFilter, status: ProjectStatus) {
  const list = useInfiniteQuery({
    ...projectsQuery({ ...filter, status }),
    placeholderData: keepPreviousData,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  return { list, items }
}
