import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ScrollText, ShieldAlert } from 'lucide-react'
import { AUDIT_ACTIONS } from '../../../../contract/audit-actions.ts'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { Badge } from '../../../components/badge.tsx'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { ExportMenu } from '../../../components/export-menu.tsx'
import { DateRange, toTimeRange } from '../../../components/forms/date-range.tsx'
import { Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { Name } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { membersQuery } from '../organization/organization-queries.ts'
import { describeAction, type NameOf } from './audit-descriptions.ts'
import { type AuditFilter, type AuditRecord, auditQuery } from './audit-queries.ts'

const route = getRouteApi('/app/settings/organization/audit')

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
]

export function AuditPage() {
  const { role } = useSession()
  if (role !== 'member') return <AuditLog />
  return (
    <Page title="Audit log">
      <Empty
        icon={ShieldAlert}
        title="Only owners and admins can view the audit log"
        action={
          <Link to="/settings/organization/members" className={buttonClass()}>
            View members
          </Link>
        }
      >
        It shows who did what in this organization, and when. Ask an owner or admin for access.
      </Empty>
    </Page>
  )
}

function AuditLog() {
  const search = route.useSearch()
  const { q, action, person } = search
  const navigate = route.useNavigate()
  const { typed, setTyped } = useSearchInput(q ?? '')
  const filter: AuditFilter = {
    action,
    userId: person,
    search: q?.trim() || undefined,
    ...toTimeRange(search),
  }
  const list = useInfiniteQuery({ ...auditQuery(filter), placeholderData: (before) => before })
  const members = useInfiniteQuery(membersQuery).data?.pages.flatMap((page) => page.items) ?? []
  const workspaces = useQuery(workspacesQuery).data?.items ?? []
  const nameOf: NameOf = (id) => [...members, ...workspaces].find((entry) => entry.id === id)?.name
  const records = list.data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = Object.values(search).some(Boolean)
  const choose = (change: Partial<typeof search>) =>
    navigate({ search: (current) => ({ ...current, ...change }), replace: true })
  return (
    <Page
      title="Audit log"
      filter={{ value: typed, onChange: setTyped, label: t`Search by member, action, name or ID` }}
    >
      <FilterBar
        onClear={isFiltered ? () => navigate({ search: {}, replace: true }) : undefined}
        end={
          <span className="ml-auto">
            <ExportMenu path="/api/v1/org/audit/export" query={{ ...filter }} formats={FORMATS} />
          </span>
        }
      >
        <Filter
          narrow
          label="Filter by action"
          any={t`All actions`}
          value={action}
          options={Object.entries(AUDIT_ACTIONS)
            .map(([value, label]) => ({ value, label: label as string }))
            .toSorted((one, other) => one.label.localeCompare(other.label))}
          onChoose={(value) => choose({ action: value })}
        />
        <Filter
          narrow
          label="Filter by member"
          any={t`All members`}
          value={person}
          options={members.map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={(value) => choose({ person: value })}
        />
        <DateRange value={search} onChange={choose} />
      </FilterBar>
      <PagedTable
        label="Audit log"
        list={list}
        columns={columns(nameOf)}
        rows={records}
        rowKey={(record) => record.id}
        loaded={records.length}
        empty={
          <Empty icon={ScrollText} title={isFiltered ? t`No entries match these filters` : t`No entries yet`}>
            {isFiltered
              ? t`Search matches word beginnings and full IDs. Try another period or clear the filters.`
              : t`Sign-ins and changes to members, keys and settings appear here. Entries can’t be edited.`}
          </Empty>
        }
      />
    </Page>
  )
}

const columns = (nameOf: NameOf): Column<AuditRecord>[] => [
  {
    header: t`Event`,
    wide: true,
    cell: (record) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-8">
        <span className="break-words">
          <span className="font-medium">
            <Name>{record.actor?.name ?? 'Atrium'}</Name>
          </span>{' '}
          {record.link ? (
            <Link to={record.link} className="hover:underline">
              {describeAction(record, nameOf)}
            </Link>
          ) : (
            describeAction(record, nameOf)
          )}
        </span>
        {record.via === 'key' && <Badge>via API key</Badge>}
        {record.via === 'app' && <Badge>via connected app</Badge>}
      </span>
    ),
  },
  {
    header: t`Action`,
    visibleFrom: 'wide',
    cell: (record) => (
      <code className="whitespace-nowrap font-mono text-12 text-neutral-11">{record.action}</code>
    ),
  },
  {
    header: t`IP address`,
    visibleFrom: 'medium',
    cell: (record) => (
      <code className="whitespace-nowrap font-mono text-12 text-neutral-11">{record.address ?? '–'}</code>
    ),
  },
  timeColumn(t`When`, (record) => record.createdAt),
]
