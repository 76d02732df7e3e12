import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Archive, Plus, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type Activity, activityQuery, type DayRuns, toDays } from '../../../api/agent-activity.ts'
import { type Agent, agentsQuery } from '../../../api/agents.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { AgentFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { VIEW, ViewRow } from '../../../components/layout/tabs.tsx'
import { useModelOffers } from '../../../components/models/model-options.ts'
import { Name, withNames } from '../../../components/name.tsx'
import { NoMatches } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { TITLE_LINK, TitleCell } from '../../../components/table/title-cell.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { RunBars } from './run-bars.tsx'
import { BlankCard, TemplateCards } from './templates/template-cards.tsx'

export const AgentsPage = () => <AgentList archived={false} />
export const ArchivedAgentsPage = () => <AgentList archived />

function AgentList({ archived }: { archived: boolean }) {
  const { q } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(q ?? '')
  const list = useInfiniteQuery({
    ...agentsQuery({ q: q?.trim() || undefined, archived }),
    placeholderData: keepPreviousData,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const canEdit = useCanEditAgents() === true
  const create = () => canEdit && void navigate({ to: '/agents/new' })
  usePageKeys([
    { label: t`New agent`, keys: 'c', icon: Plus, unlisted: true, run: create },
    { label: t`New agent`, keys: 'n', icon: Plus, unlisted: true, run: create },
  ])
  const activity = useQuery({ ...activityQuery(), enabled: !archived }).data
  const columns = useMemo(() => agentColumns(activity), [activity])
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <Page
      title="Agents"
      count={items.length > 0 && !list.hasNextPage && !list.isPlaceholderData ? items.length : undefined}
      filter={{ value: typed, onChange: setTyped, label: t`Search agents` }}
      action={
        canEdit && (
          <Link to="/agents/new" className={buttonClass('primary')}>
            New agent
          </Link>
        )
      }
      tabs={<Tabs />}
    >
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && <NoAgents q={q} archived={archived} onClear={() => setTyped('')} />}
      {items.length > 0 && (
        <>
          <Table
            label="Agents"
            columns={columns}
            rows={items}
            rowKey={(agent) => agent.id}
            version={(agent) => agent.updatedAt}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
    </Page>
  )
}

function Tabs() {
  return (
    <>
      <SectionTabs of="agents" />
      <ViewRow label="Views">
        <Link to="/agents" activeOptions={{ exact: true, includeSearch: false }} className={VIEW}>
          Active
        </Link>
        <Link to="/agents/archived" activeOptions={{ includeSearch: false }} className={VIEW}>
          Archived
        </Link>
      </ViewRow>
    </>
  )
}

const agentColumns = (activity: Activity | undefined): Column<Agent>[] => [
  { header: t`Name`, wide: true, cell: (agent) => <NameCell agent={agent} /> },
  { header: t`Model`, visibleFrom: 'medium', cell: (agent) => <ModelCell agent={agent} /> },
  {
    header: t`Runs, 14 days`,
    visibleFrom: 'wide',
    cell: ({ id }) => activity && <RunsCell days={toDays(activity, id)} />,
  },
  {
    header: t`Last used`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ id }) => <LastUsed activity={activity} id={id} />,
  },
]

function RunsCell({ days }: { days: DayRuns[] }) {
  const total = days.reduce((sum, day) => sum + day.total, 0)
  return (
    <span className="flex items-center gap-12">
      <RunBars days={days} className="h-24 w-when" />
      <span className="w-32 text-right text-neutral-11">{total > 0 && total.toLocaleString(LOCALE)}</span>
    </span>
  )
}

function LastUsed({ activity, id }: { activity: Activity | undefined; id: string }) {
  const at = activity?.items.find(({ agentId }) => agentId === id)?.lastRunAt
  if (!activity) return null
  return <span className="whitespace-nowrap text-neutral-11">{at ? <Time at={at} /> : t`Never`}</span>
}

function NameCell({ agent }: { agent: Agent }) {
  const { id, name, description } = agent
  return (
    <TitleCell
      face={<AgentFace agent={agent} size={32} />}
      note={
        <>
          <span className="@medium:hidden">
            <ModelCell agent={agent} />
          </span>
          <span className="@max-medium:hidden">{description ?? t`No description`}</span>
        </>
      }
    >
      <Link to="/agents/$id" params={{ id }} data-row-link={id} title={name} className={TITLE_LINK}>
        <Name>{name}</Name>
      </Link>
    </TitleCell>
  )
}

function ModelCell({ agent: { model, warnings } }: { agent: Agent }) {
  const models = useModelOffers()?.models
  return (
    <span className="inline-flex min-w-0 items-center gap-4 text-neutral-11" title={model ?? undefined}>
      {warnings.length > 0 && (
        <TriangleAlert role="img" aria-label="Warning" className="size-12 shrink-0 text-warning-text">
          <title>{warnings.map(({ message }) => message).join('; ')}</title>
        </TriangleAlert>
      )}
      <span className="max-w-menu truncate">
        {model === null ? t`Default model` : (models?.find(({ id }) => id === model)?.name ?? model)}
      </span>
    </span>
  )
}

interface NoAgentsProps {
  q: string | undefined
  archived: boolean
  onClear: () => void
}

function NoAgents({ q, archived, onClear }: NoAgentsProps) {
  if (q !== undefined) {
    return (
      <NoMatches
        title={archived ? withNames`No archived agents match “${q}”` : withNames`No agents match “${q}”`}
        onClear={onClear}
      >
        Search covers names and descriptions.
      </NoMatches>
    )
  }
  if (archived) {
    return (
      <Empty
        icon={Archive}
        title="No archived agents"
        action={
          <Link to="/agents" className={buttonClass('plain')}>
            All agents
          </Link>
        }
      >
        Archived agents appear here with their versions. You can unarchive them anytime.
      </Empty>
    )
  }
  return (
    <div className="flex max-w-sheet flex-col gap-24 px-16 py-24 md:px-24">
      <div className="flex flex-col gap-4">
        <h2 className="font-strong text-20 tracking-heading">No agents yet</h2>
        <p className="text-neutral-11">
          An agent has instructions, a model and tools, and works on a project’s canvas and files. Choose a
          starting point.
        </p>
      </div>
      <TemplateCards />
      <BlankCard />
    </div>
  )
}
