import { Link, useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Project, projectRef } from '../../../api/projects.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { ProjectFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { RowTags, timeColumn } from '../../../components/table/cells.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { FavouriteStar } from './favourite-star.tsx'
import { ProjectCard } from './project-card.tsx'
import { type ProjectCommands, useProjectCommands, useProjectKeys } from './project-commands.ts'
import { formatSpend, STATUSES, VISIBILITIES } from './project-labels.ts'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectPeople } from './project-preview.tsx'
import { ProjectsFrame } from './projects-frame.tsx'
import type { ProjectsSearch } from './projects-search.ts'
import { useSelection } from './selection/selection.ts'
import { SelectBox, SelectionBar } from './selection/selection-bar.tsx'
import { collectTags, useFilter, useProjects, useProjectsSearch, useWorkspaceNames } from './use-projects.ts'

const BoardPage = lazy(async () => ({ default: (await import('./board/board-page.tsx')).BoardPage }))

export function ProjectsPage() {
  const search = useProjectsSearch()
  if (search.layout !== 'board') return <ListPage search={search} />
  return (
    <Suspense>
      <BoardPage search={search} />
    </Suspense>
  )
}

function ListPage({ search }: { search: ProjectsSearch }) {
  const navigate = useNavigate()
  const { list, items } = useProjects(useFilter(search), search.fav === 'first')
  const tags = useMemo(() => collectTags(items), [items])
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
          {search.layout === 'cards' ? (
            <ul
              aria-label="Projects"
              className="grid grid-cols-[repeat(auto-fill,minmax(min(240px,100%),1fr))] gap-16 p-16 md:px-24"
            >
              {items.map((project) => (
                <ProjectCard
                  key={project.id}
                  project={project}
                  commands={commands}
                  isRenaming={project.id === renamingId}
                  select={<SelectBox id={project.id} name={project.name} order={order} />}
                />
              ))}
            </ul>
          ) : (
            <Table
              label="Projects"
              columns={columns}
              rows={items}
              rowKey={(project) => project.id}
              version={(project) => project.updatedAt}
            />
          )}
          <ScrollEnd list={list} loaded={items.length} />
        </div>
      )}
    </ProjectsFrame>
  )
}

interface ColumnOptions {
  commands: ProjectCommands
  renamingId: string | undefined
  /** By id. Empty if the user has only one workspace. */
  workspaces: ReadonlyMap<string, string>
  allWorkspaces: boolean
  /** Ids in list order. */
  order: () => readonly string[]
}

const projectColumns = ({
  commands,
  renamingId,
  workspaces,
  allWorkspaces,
  order,
}: ColumnOptions): Column<Project>[] => [
  {
    header: t`Selection and favorites`,
    headerHidden: true,
    cell: (project) => (
      <span className="flex items-center gap-8">
        <SelectBox id={project.id} name={project.name} order={order} />
        <FavouriteStar project={project} />
      </span>
    ),
  },
  {
    header: t`Name`,
    wide: true,
    cell: (project) => (
      <span className="flex min-w-0 items-center gap-8">
        <ProjectFace project={project} />
        <span className="min-w-0 flex-1">
          {project.id === renamingId ? (
            <NameInput
              label={textWithNames`New name for ${project.name}`}
              name={project.name}
              onDone={(name) => commands.rename(project, name)}
            />
          ) : (
            <NameCell project={project} />
          )}
        </span>
      </span>
    ),
  },
  { header: t`People`, visibleFrom: 'wide', cell: (project) => <ProjectPeople project={project} /> },
  {
    header: t`Tags`,
    visibleFrom: allWorkspaces ? 'extra-wide' : 'wide',
    cell: ({ tags }) => <RowTags tags={tags} onChoose={commands.filterByTag} />,
  },
  { header: t`Status`, visibleFrom: 'medium', cell: ({ status }) => <StatusCell status={status} /> },
  {
    header: t`Visibility`,
    visibleFrom: 'wide',
    cell: ({ visibility }) => <Visibility visibility={visibility} />,
  },
  ...(workspaces.size > 0
    ? [
        {
          header: t`Workspace`,
          visibleFrom: allWorkspaces ? ('wide' as const) : ('extra-wide' as const),
          cell: ({ workspaceId }: Project) => (
            <span className="block max-w-status truncate text-neutral-11" title={workspaces.get(workspaceId)}>
              {workspaces.get(workspaceId) ?? '–'}
            </span>
          ),
        },
      ]
    : []),
  {
    header: t`Spend`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ spend }) => (
      <span title={`${spend.amount} ${spend.currency}`} className="whitespace-nowrap text-neutral-11">
        {formatSpend(spend)}
      </span>
    ),
  },
  timeColumn(t`Last activity`, (project) => project.lastActivityAt, { visibleFrom: 'medium' }),
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (project) => (
      <span className="relative inline-flex align-middle">
        <ProjectMenu project={project} commands={commands} />
      </span>
    ),
  },
]

function NameCell({ project }: { project: Project }) {
  const { name, description, visibility, lastActivityAt } = project
  return (
    <>
      <span className="flex min-w-0 items-baseline gap-8">
        <Link
          to="/projects/$ref"
          params={{ ref: projectRef(project) }}
          data-row-link={project.id}
          title={name}
          className="row-link min-w-0 max-w-full shrink-0 truncate font-medium outline-none"
        >
          <Name>{name}</Name>
        </Link>
        {description && (
          <span className="min-w-0 flex-1 truncate text-neutral-11 @max-medium:hidden">{description}</span>
        )}
      </span>
      <span className="flex min-w-0 items-center gap-8 text-12 text-neutral-11 @medium:hidden">
        <StatusCell status={project.status} />
        {visibility === 'private' && <Lock role="img" aria-label="Private" className="size-12 shrink-0" />}
        <Time at={lastActivityAt} />
      </span>
    </>
  )
}

const StatusCell = ({ status }: Pick<Project, 'status'>) => (
  <Status meaning={STATUSES[status].meaning}>{STATUSES[status].label}</Status>
)

function Visibility({ visibility }: Pick<Project, 'visibility'>) {
  return (
    <span
      title={VISIBILITIES[visibility].description}
      className="inline-flex items-center gap-4 whitespace-nowrap align-top text-neutral-11"
    >
      {visibility === 'private' && <Lock aria-hidden className="size-12" />}
      {VISIBILITIES[visibility].label}
    </span>
  )
}
