import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { agentsQuery } from '../../../api/agents.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { agentColumns } from './agent-columns.tsx'
import { NoAgents } from './no-agents.tsx'

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
    { label: 'New agent', keys: 'c', icon: Plus, unlisted: true, run: create },
    { label: 'New agent', keys: 'n', icon: Plus, unlisted: true, run: create },
  ])
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <Page
      title="Agents"
      count={items.length > 0 && !list.hasNextPage && !list.isPlaceholderData ? items.length : undefined}
      filter={{ value: typed, onChange: setTyped, label: 'Search agents' }}
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
    <TabRow label="Agents">
      <Link to="/agents" activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
        Active
      </Link>
      <Link to="/agents/archived" activeOptions={{ includeSearch: false }} className={TAB}>
        Archived
      </Link>
    </TabRow>
  )
}
