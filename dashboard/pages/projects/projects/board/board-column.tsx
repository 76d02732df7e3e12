import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import {
  type Project,
  type ProjectFilter,
  type ProjectStatus,
  projectRef,
  projectsQuery,
} from '../../../../api/projects.ts'
import { Failure } from '../../../../components/failure.tsx'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { Name } from '../../../../components/name.tsx'
import { Status } from '../../../../components/status.tsx'
import { ScrollEnd } from '../../../../components/table/scroll-end.tsx'
import { Time } from '../../../../components/time.tsx'
import { FavouriteStar } from '../favourite-star.tsx'
import { setStatus } from '../project-actions.ts'
import type { ProjectCommands } from '../project-commands.ts'
import { STATUSES } from '../project-labels.ts'
import { ProjectMenu } from '../project-menu.tsx'
import { ProjectPeople, ProjectPreview } from '../project-preview.tsx'

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
      className={`flex w-list min-w-0 shrink-0 snap-start flex-col rounded-panel border bg-inset transition-colors max-sm:w-full md:flex-1 ${isOver ? 'border-selection bg-selection-wash' : accepts ? 'border-selection-line border-dashed' : 'border-neutral-6'}`}
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
            <BoardCard
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

interface BoardCardProps {
  project: Project
  commands: ProjectCommands
  isRenaming: boolean
  isDragged: boolean
  onDrag: (project: Project | undefined) => void
}

/** Memoized, and not laid out far from the viewport: a column can have a thousand cards. */
const BoardCard = memo(function BoardCard(props: BoardCardProps) {
  const { project, commands, isRenaming, isDragged, onDrag } = props
  const { name, emoji, description, visibility, lastActivityAt, canEdit } = project
  return (
    <li
      data-row
      draggable={canEdit && !isRenaming}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onDrag(project)
      }}
      onDragEnd={() => onDrag(undefined)}
      className={`relative shrink-0 rounded-panel border border-neutral-6 bg-card transition-colors [contain-intrinsic-size:auto_168px] [content-visibility:auto] hover:border-neutral-8 has-[[data-row-link]:focus-visible]:border-selection ${canEdit ? 'cursor-grab' : ''} ${isDragged ? 'opacity-50' : ''}`}
    >
      <ProjectPreview
        project={project}
        hidesEmpty
        className="aspect-[3/1] w-full rounded-t-panel border-neutral-6 border-b"
      />
      <div className="flex flex-col gap-4 px-12 py-8">
        <span className="flex min-w-0 items-center gap-4">
          {emoji && <span aria-hidden>{emoji}</span>}
          {isRenaming ? (
            <NameInput
              label={textWithNames`New name for ${name}`}
              name={name}
              onDone={(next) => commands.rename(project, next)}
            />
          ) : (
            <Link
              to="/projects/$ref"
              params={{ ref: projectRef(project) }}
              data-row-link={project.id}
              draggable={false}
              title={name}
              className="row-link min-w-0 flex-1 truncate font-medium text-13 outline-none"
            >
              <Name>{name}</Name>
            </Link>
          )}
          <FavouriteStar project={project} />
          <span className="relative inline-flex">
            <ProjectMenu project={project} commands={commands} />
          </span>
        </span>
        {description && <p className="truncate text-12 text-neutral-11">{description}</p>}
        <span className="flex h-24 items-center gap-8 text-12 text-neutral-11">
          <ProjectPeople project={project} />
          {visibility === 'private' && <Lock role="img" aria-label="Private" className="size-12 shrink-0" />}
          <span className="ml-auto">
            <Time at={lastActivityAt} />
          </span>
        </span>
      </div>
    </li>
  )
})

export function useColumn(filter: ProjectFilter, status: ProjectStatus) {
  const list = useInfiniteQuery({
    ...projectsQuery({ ...filter, status }),
    placeholderData: keepPreviousData,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  return { list, items }
}
