import type { Usage, UsageItem } from '../../../api/usage.ts'
import { formatCost, formatTokens } from '../../../components/amounts.ts'
import { Name } from '../../../components/name.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { nameOfGroup } from './group-names.ts'
import { GROUP_LABELS } from './usage-search.ts'

/** The figures of the chart, and the tokens. */
export function UsageTable({ usage }: { usage: Usage }) {
  const { groupBy } = usage
  const columns: Column<UsageItem>[] = [
    {
      header: GROUP_LABELS[groupBy],
      wide: true,
      cell: (item) => <Name>{nameOfGroup(groupBy, item)}</Name>,
    },
    { header: 'Cost', right: true, cell: (item) => costOf(item) },
    { header: 'Entries', right: true, cell: ({ calls }) => calls.toLocaleString('en') },
    {
      header: 'Input',
      right: true,
      visibleFrom: 'medium',
      cell: ({ inputTokens }) => formatTokens(inputTokens),
    },
    {
      header: 'Output',
      right: true,
      visibleFrom: 'medium',
      cell: ({ outputTokens }) => formatTokens(outputTokens),
    },
  ]
  return (
    <Table
      label={`Usage by ${GROUP_LABELS[groupBy]}`}
      columns={columns}
      rows={groupBy === 'day' ? usage.items.toReversed() : usage.items}
      rowKey={({ key }) => key ?? 'none'}
    />
  )
}

/** A dash if no entry has a known price, since entries without a price are not free. */
const costOf = ({ cost, calls, unpricedCalls }: UsageItem) =>
  calls === unpricedCalls ? '–' : formatCost(cost)
