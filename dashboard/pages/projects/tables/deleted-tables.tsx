import { useQuery } from '@tanstack/react-query'
import { ChevronRight, RotateCcw, Table2 } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import { TABLE_HISTORY_DAYS } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { deletedTablesQuery, type Table } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { restoreTable } from './table-actions.ts'

const DAY_MS = 86_400_000

/** Below the list, folded. Nothing if no table was deleted lately. */
export function DeletedTables({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(deletedTablesQuery(projectId))
  if (data.length === 0) return null
  const newestFirst = data.toSorted((a, b) => (a.deletedAt! < b.deletedAt! ? 1 : -1))
  return (
    <details className="group px-8 pb-24 md:px-16">
      <summary className="flex h-32 w-fit cursor-pointer items-center gap-8 rounded-control px-8 font-medium text-13 text-neutral-11 hover:bg-hover hover:text-neutral-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open:rotate-90" />
        Recently deleted
        <span className="tabular-nums">{data.length}</span>
      </summary>
      <p className="px-8 py-8 text-13 text-neutral-11">
        {t`You can restore a table with its rows, views and history for ${TABLE_HISTORY_DAYS} days.`}
      </p>
      <ul className="flex flex-col">
        {newestFirst.map((table) => (
          <DeletedTable key={table.id} table={table} />
        ))}
      </ul>
    </details>
  )
}

function DeletedTable({ table }: { table: Table }) {
  const { name, rowCount, deletedAt } = table
  const purgesAt = new Date(Date.parse(deletedAt!) + TABLE_HISTORY_DAYS * DAY_MS).toISOString()
  return (
    <li className="flex min-h-48 items-center gap-12 rounded-control px-8 py-8">
      <Table2 aria-hidden className="icon shrink-0 text-neutral-10" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium">
          <Name>{name}</Name>
        </span>
        <span className="truncate text-12 text-neutral-11">
          {counted(rowCount, 'row', 'rows')}
          {' · '}
          deleted <Time at={deletedAt!} />, permanently <Time at={purgesAt} isExpected />
        </span>
      </span>
      <Button
        size="small"
        look="quiet"
        aria-label={textWithNames`Restore ${name}`}
        onClick={() => restoreTable(table)}
      >
        <RotateCcw aria-hidden className="icon" />
        Restore
      </Button>
    </li>
  )
}
