import { LOCALE, t } from '../../../../contract/text.ts'
import { formatDuration, formatSize } from '../../../components/amounts.ts'
import { Block } from '../../../components/layout/block.tsx'
import { Status } from '../../../components/status.tsx'
import { Figures } from './figures.tsx'
import type { Health } from './health.ts'

const signed = new Intl.NumberFormat(LOCALE, { signDisplay: 'exceptZero' })

export const Storage = ({ health: { database, storage, objects } }: { health: Health }) => (
  <Block
    title="Storage"
    headingEnd={
      <Status meaning={storage.available && !storage.full ? 'good' : 'bad'}>{storageLabel(storage)}</Status>
    }
  >
    <p className="py-8 text-13 text-neutral-11">
      {objects.files.toLocaleString(LOCALE)} files ({formatSize(objects.bytes)}) in {storage.description}.
    </p>
    <Figures
      label="Largest tables"
      rows={database.tables}
      rowKey={({ name }) => name}
      columns={[
        {
          header: t`Table`,
          wide: true,
          cell: ({ name }) => <code className="font-mono text-12">{name}</code>,
        },
        { header: t`Rows (estimate)`, cell: ({ rows }) => rows.toLocaleString(LOCALE) },
        { header: t`Growth`, cell: ({ added }) => signed.format(added), visibleFrom: 'medium' },
        { header: t`Size with indexes`, cell: ({ bytes }) => formatSize(bytes) },
      ]}
    />
  </Block>
)

type StatementList = Health['database']['statements']

function storageLabel({ available, full }: Health['storage']): string {
  if (full) return t`File storage full`
  return available ? t`File storage available` : t`File storage unavailable`
}

export function Statements({ statements: { source, items } }: { statements: StatementList }) {
  const isTotal = source === 'pg_stat_statements'
  return (
    <Block
      title="Slow queries"
      note={isTotal ? t`Since statistics were reset` : t`Running for over a second`}
    >
      {items.length === 0 ? (
        <p className="py-12 text-13 text-neutral-11">
          {isTotal
            ? t`None so far.`
            : t`None. Install the pg_stat_statements extension to see which queries take the most time.`}
        </p>
      ) : (
        <Figures
          label="Slow queries"
          rows={items.map((item, index) => ({ ...item, index }))}
          rowKey={({ index }) => String(index)}
          columns={[
            {
              header: t`Query`,
              wide: true,
              cell: ({ query }) => (
                <code className="block truncate font-mono text-12" title={query}>
                  {query}
                </code>
              ),
            },
            {
              header: t`Calls`,
              cell: ({ calls }) => calls?.toLocaleString(LOCALE) ?? '–',
              visibleFrom: 'medium',
            },
            { header: isTotal ? t`Average` : t`Running for`, cell: ({ meanMs }) => formatDuration(meanMs) },
            {
              header: t`Longest`,
              cell: ({ maxMs }) => (maxMs === null ? '–' : formatDuration(maxMs)),
              visibleFrom: 'medium',
            },
            {
              header: t`Total`,
              cell: ({ totalMs }) => (totalMs === null ? '–' : formatDuration(totalMs)),
              visibleFrom: 'medium',
            },
          ]}
        />
      )}
    </Block>
  )
}
