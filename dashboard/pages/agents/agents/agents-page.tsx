import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Archive, Bot, Plus, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { AGENT_TOOL_NAMES, AGENT_TOOLS } from '../../../../contract/agents/agent-options.ts'
import { t } from '../../../../contract/text.ts'
import { type Agent, agentsQuery } from '../../../api/agents.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { VIEW, ViewRow } from '../../../components/layout/tabs.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { NoMatches } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'

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
            columns={agentColumns}
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
      <ViewRow label="Agents">
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

const agentColumns: Column<Agent>[] = [
  { header: t`Name`, wide: true, cell: (agent) => <NameCell agent={agent} /> },
  { header: t`Model`, visibleFrom: 'medium', cell: (agent) => <ModelCell agent={agent} /> },
  {
    header: t`Tools`,
    visibleFrom: 'wide',
    cell: ({ tools }) => <span className="whitespace-nowrap text-neutral-11">{toolNames(tools)}</span>,
  },
  timeColumn(t`Changed`, ({ updatedAt }) => updatedAt, { visibleFrom: 'medium' }),
]

const toolNames = (tools: Agent['tools']) =>
  AGENT_TOOL_NAMES.filter((name) => tools[name])
    .map((name) => AGENT_TOOLS[name].label)
    .join(', ') || t`None`

function NameCell({ agent }: { agent: Agent }) {
  const { id, name, emoji, description } = agent
  return (
    <span className="flex min-w-0 items-center gap-8">
      <AgentEmoji emoji={emoji} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-8">
          <Link
            to="/agents/$id"
            params={{ id }}
            data-row-link={id}
            title={name}
            className="row-link min-w-0 max-w-full shrink-0 truncate font-medium outline-none"
          >
            <Name>{name}</Name>
          </Link>
          {description && (
            <span className="min-w-0 flex-1 truncate text-neutral-11 @max-medium:hidden">{description}</span>
          )}
        </span>
        <span className="block text-12 @medium:hidden">
          <ModelCell agent={agent} />
        </span>
      </span>
    </span>
  )
}

function ModelCell({ agent: { model, warnings } }: { agent: Agent }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-4 text-neutral-11">
      {warnings.length > 0 && (
        <TriangleAlert role="img" aria-label="Warning" className="size-12 shrink-0 text-warning-text">
          <title>{warnings.map(({ message }) => message).join('; ')}</title>
        </TriangleAlert>
      )}
      <span className="truncate">{model ?? t`Default model`}</span>
    </span>
  )
}

function AgentEmoji({ emoji }: { emoji: string | null }) {
  return (
    <span
      aria-hidden
      className="inline-flex size-24 shrink-0 items-center justify-center overflow-hidden text-16"
    >
      {emoji || <Bot className="icon text-neutral-10" />}
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
    <Empty
      icon={Bot}
      title="No agents yet"
      action={
        <Link to="/agents/new" className={buttonClass('primary')}>
          New agent
        </Link>
      }
      command="npx atrium agents apply researcher.yaml"
      commandLead={t`Or from a file:`}
    >
      An agent has instructions, a model and tools, and works on a project’s canvas and files.
    </Empty>
  )
}
