import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { Empty } from '../../components/empty.tsx'
import { Name } from '../../components/name.tsx'
import { PagedTable } from '../../components/table/paged-table.tsx'
import type { Column } from '../../components/table/table.tsx'
import { timeColumn } from '../../components/table/time-column.tsx'
import { Page } from '../../frame/page.tsx'
import { type OperatedOrganization, organizationsQuery } from './organizations-queries.ts'

/** The organizations of this server, for operators. */
export function OrganizationsPage() {
  const [filter, setFilter] = useState('')
  const list = useInfiniteQuery({
    ...organizationsQuery(filter.trim()),
    placeholderData: (before) => before,
  })
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page
      title="Organizations"
      filter={{ value: filter, onChange: setFilter, label: 'Filter by name or ID' }}
    >
      <PagedTable
        label="Organizations"
        list={list}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        loaded={rows.length}
        empty={
          <Empty icon={Building2} title="No organizations match your filter">
            Enter a part of the name, or the organization ID.
          </Empty>
        }
      />
    </Page>
  )
}

const COLUMNS: Column<OperatedOrganization>[] = [
  {
    header: 'Name',
    wide: true,
    cell: ({ id, name }) => (
      <Link to="/operate/organizations/$id" params={{ id }} data-row-link={id}>
        <Name>{name}</Name>
      </Link>
    ),
  },
  { header: 'Members', right: true, cell: ({ memberCount }) => memberCount },
  { header: 'Custom limits', right: true, from: 'roomy', cell: ({ overrideCount }) => overrideCount },
  timeColumn('Created', ({ createdAt }) => createdAt),
]
