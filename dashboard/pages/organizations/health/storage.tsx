import { formatDuration, formatSize } from '../../../components/amounts.ts'
import { Block } from '../../../components/layout/block.tsx'
import { Status } from '../../../components/status.tsx'
import { Figures } from './figures.tsx'
import type { Health } from './health.ts'

const signed = new Intl.NumberFormat('en', { signDisplay: 'exceptZero' })

/** The usage of the disks: the largest tables, and the files. */
export const Storage = ({ health: { database, storage, objects } }: { health: Health }) => (
  <Block
    title="Storage"
    headingEnd={
      <Status meaning={storage.available && !storage.full ? 'good' : 'bad'}>{storageLabel(storage)}</Status>
    }
  >
    <p className="py-8 text-13 text-neutral-11">
      {objects.files.toLocaleString('en')} files with {formatSize(objects.bytes)} in {storage.description}.
    </p>
    <Figures
      label="Largest tables"
      rows={database.tables}
      rowKey={({ name }) => name}
      columns={[
        {
          header: 'Table',
          wide: true,
          cell: ({ name }) => <code className="font-mono text-12">{name}</code>,
        },
        { header: 'Rows (estimate)', cell: ({ rows }) => rows.toLocaleString('en') },
        { header: 'Growth', cell: ({ added }) => signed.format(added), visibleFrom: 'medium' },
        { header: 'Size with indexes', cell: ({ bytes }) => formatSize(bytes) },
      ]}
    />
  </Block>
)

type StatementList = Health['database']['statements']

function storageLabel({ available, full }: Health['storage']): string {
  if (full) return 'File storage full'
  return available ? 'File storage available' : 'File storage unavailable'
}

export function Statements({ statements: { source, items } }: { statements: StatementList }) {
  const isTotal = source === 'pg_stat_statements'
  return (
    <Block
      title="Slow statements"
      note={isTotal ? 'Since the statistics were reset' : 'Running for more than a second now'}
    >
      {items.length === 0 ? (
        <p className="py-12 text-13 text-neutral-11">
          {isTotal
            ? 'None so far.'
            : 'None. Install the extension pg_stat_statements to list the statements that take the most time.'}
        </p>
      ) : (
        <Figures
          label="Slow statements"
          rows={items.map((item, index) => ({ ...item, index }))}
          rowKey={({ index }) => String(index)}
          columns={[
            {
              header: 'Statement',
              wide: true,
              cell: ({ query }) => (
                <code className="block truncate font-mono text-12" title={query}>
                  {query}
                </code>
              ),
            },
            {
              header: 'Calls',
              cell: ({ calls }) => calls?.toLocaleString('en') ?? '–',
              visibleFrom: 'medium',
            },
            { header: isTotal ? 'Mean' : 'Running for', cell: ({ meanMs }) => formatDuration(meanMs) },
            {
              header: 'Longest',
              cell: ({ maxMs }) => (maxMs === null ? '–' : formatDuration(maxMs)),
              visibleFrom: 'medium',
            },
            {
              header: 'Total',
              cell: ({ totalMs }) => (totalMs === null ? '–' : formatDuration(totalMs)),
              visibleFrom: 'medium',
            },
          ]}
        />
      )}
    </Block>
  )
}
