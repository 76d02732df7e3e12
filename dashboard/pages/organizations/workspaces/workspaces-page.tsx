import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router'
import { LayoutGrid } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { type Workspace, workspacesQuery } from '../../../api/workspaces.ts'
import { Badge } from '../../../components/badge.tsx'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { ProjectFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { NoRowsMatch } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'

/** Shorter lists need no filter. */
const FILTER_FROM = 8

const route = getRouteApi('/app/settings/organization/workspaces')

export function WorkspacesPage() {
  const { id } = useParams({ strict: false })
  const { role, workspace: current } = useSession()
  const { q = '' } = route.useSearch()
  const { typed: filter, setTyped: setFilter } = useSearchInput(q)
  const workspaces = useQuery(workspacesQuery)
  const items = workspaces.data?.items ?? []
  const found = items.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <Page
      title="Workspaces"
      count={workspaces.data && items.length}
      filter={
        items.length > FILTER_FROM
          ? { value: filter, onChange: setFilter, label: t`Filter by name` }
          : undefined
      }
      action={
        role !== 'member' && (
          <Link to="/settings/organization/workspaces/new" className={buttonClass('primary')}>
            New workspace
          </Link>
        )
      }
      panel={id && <Outlet />}
    >
      {workspaces.isPending && <SkeletonRows rows={3} />}
      {workspaces.error && !workspaces.data && (
        <Failure error={workspaces.error} onRetry={() => workspaces.refetch()} />
      )}
      {workspaces.data && items.length === 0 && (
        <Empty icon={LayoutGrid} title="No workspaces yet">
          Ask an owner or admin to add you to a workspace.
        </Empty>
      )}
      {items.length > 0 && (
        <Table
          label="Workspaces"
          columns={columns(current?.id)}
          rows={found}
          rowKey={(workspace) => workspace.id}
          version={(workspace) => workspace.updatedAt}
          currentKey={id}
        />
      )}
      {items.length > 0 && found.length === 0 && <NoRowsMatch>No workspaces match your filter.</NoRowsMatch>}
      {!id && <Outlet />}
    </Page>
  )
}

const columns = (currentId: string | undefined): Column<Workspace>[] => [
  {
    header: t`Name`,
    wide: true,
    cell: (workspace) => (
      <span className="flex items-center gap-8">
        <ProjectFace project={{ ...workspace, emoji: null }} />
        <Link
          to="/settings/organization/workspaces/$id"
          params={{ id: workspace.id }}
          data-row-link={workspace.id}
          className="row-link truncate font-medium outline-none"
        >
          <Name>{workspace.name}</Name>
        </Link>
        {workspace.id === currentId && <Badge accent>current</Badge>}
        {workspace.isDefault && (
          <span title="Your default for sign-ins and API keys">
            <Badge>default</Badge>
          </span>
        )}
      </span>
    ),
  },
  { header: t`Members`, right: true, cell: (workspace) => workspace.memberCount },
  timeColumn(t`Created`, (workspace) => workspace.createdAt, { visibleFrom: 'medium' }),
]
