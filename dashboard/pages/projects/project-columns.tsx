import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type Project, projectRef } from '../../api/projects.ts'
import { NameInput } from '../../components/forms/name-input.tsx'
import { Status } from '../../components/status.tsx'
import { RowTags } from '../../components/table/row-tags.tsx'
import type { Column } from '../../components/table/table.tsx'
import { timeColumn } from '../../components/table/time-column.tsx'
import { Time } from '../../components/time.tsx'
import { ProjectEmoji } from './project-emoji.tsx'
import type { ProjectIntents } from './project-intents.ts'
import { STATUSES, spendWords, VISIBILITIES } from './project-labels.ts'
import { ProjectMenu } from './project-menu.tsx'

interface Columns {
  intents: ProjectIntents
  renamingId: string | undefined
  /** The names of the workspaces by their ids; none where there is only one to be in. */
  workspaces: ReadonlyMap<string, string>
  /** Whether rows of different workspaces stand beside one another. */
  fromAll: boolean
}

export const projectColumns = ({ intents, renamingId, workspaces, fromAll }: Columns): Column<Project>[] => [
  {
    header: 'Name',
    wide: true,
    cell: (project) => (
      <span className="flex min-w-0 items-center gap-8">
        <ProjectEmoji emoji={project.emoji} />
        <span className="min-w-0 flex-1">
          {project.id === renamingId ? (
            <NameInput
              label={`New name of ${project.name}`}
              name={project.name}
              onDone={(name) => intents.rename(project, name)}
            />
          ) : (
            <NameAndMore project={project} />
          )}
        </span>
      </span>
    ),
  },
  {
    header: 'Tags',
    from: fromAll ? 'spread' : 'wide',
    cell: ({ tags }) => <RowTags tags={tags} onChoose={intents.filterByTag} />,
  },
  { header: 'Status', from: 'roomy', cell: ({ status }) => <StatusWord status={status} /> },
  { header: 'Visible to', from: 'wide', cell: ({ visibility }) => <Visibility visibility={visibility} /> },
  ...(workspaces.size > 0
    ? [
        {
          header: 'Workspace',
          from: fromAll ? ('wide' as const) : ('spread' as const),
          cell: ({ workspaceId }: Project) => (
            <span className="block max-w-status truncate text-neutral-11" title={workspaces.get(workspaceId)}>
              {workspaces.get(workspaceId) ?? '–'}
            </span>
          ),
        },
      ]
    : []),
  {
    header: 'Spend',
    right: true,
    from: 'roomy',
    cell: ({ spend }) => (
      <span title={`${spend.amount} ${spend.currency}`} className="whitespace-nowrap text-neutral-11">
        {spendWords(spend)}
      </span>
    ),
  },
  timeColumn('Last activity', (project) => project.lastActivityAt, { from: 'roomy' }),
  {
    header: 'Actions',
    headerHidden: true,
    right: true,
    cell: (project) => (
      <span className="relative inline-flex align-middle">
        <ProjectMenu project={project} intents={intents} />
      </span>
    ),
  },
]

/** Where the list is narrow, what its hidden columns would say stands below the name. */
function NameAndMore({ project }: { project: Project }) {
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
          {name}
        </Link>
        {description && (
          <span className="min-w-0 flex-1 truncate text-neutral-11 @max-roomy:hidden">{description}</span>
        )}
      </span>
      <span className="flex min-w-0 items-center gap-8 text-12 text-neutral-11 @roomy:hidden">
        <StatusWord status={project.status} />
        {visibility === 'private' && <Lock role="img" aria-label="Private" className="size-12 shrink-0" />}
        <Time at={lastActivityAt} />
      </span>
    </>
  )
}

const StatusWord = ({ status }: Pick<Project, 'status'>) => (
  <Status meaning={STATUSES[status].meaning}>{STATUSES[status].word}</Status>
)

function Visibility({ visibility }: Pick<Project, 'visibility'>) {
  return (
    <span
      title={VISIBILITIES[visibility].meaning}
      className="inline-flex items-center gap-4 whitespace-nowrap align-top text-neutral-11"
    >
      {visibility === 'private' && <Lock aria-hidden className="size-12" />}
      {VISIBILITIES[visibility].word}
    </span>
  )
}
