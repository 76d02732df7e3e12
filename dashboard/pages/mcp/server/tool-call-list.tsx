import { timeColumn } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import type { ToolCalls } from './mcp-queries.ts'

export function ToolCallList({ calls }: { calls: ToolCalls[] }) {
  if (calls.length === 0)
    return <p className="text-13 text-neutral-11">No tools were called in the last 24 hours.</p>
  return (
    <Table
      label="Calls by tool"
      columns={COLUMNS}
      rows={calls}
      rowKey={({ tool }) => tool}
      version={(row) => `${row.calls} ${row.failed} ${row.lastAt}`}
    />
  )
}

const COLUMNS: Column<ToolCalls>[] = [
  { header: 'Tool', wide: true, cell: ({ tool }) => <code className="font-mono text-12">{tool}</code> },
  { header: 'Calls', right: true, cell: ({ calls }) => calls.toLocaleString('en') },
  { header: 'Failed', right: true, cell: ({ failed }) => failed.toLocaleString('en') },
  timeColumn('Last call', ({ lastAt }) => lastAt, { visibleFrom: 'medium' }),
]
