import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { rowChangesQuery, type Table, type TableColumn, type TableRow } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { displayText, editText, fromText } from './grid/cell-values.ts'
import type { RowWriter } from './grid/use-rows.ts'

interface RowPanelProps {
  table: Table
  row: TableRow
  writer: RowWriter
  onClose: () => void
}

export function RowPanel({ table, row, writer, onClose }: RowPanelProps) {
  const [first] = table.columns
  const title = (first && displayText(first, row.values[first.id])) || t`Row`
  return (
    <Panel title={title} onClose={onClose}>
      <PanelSection>
        <div className="flex flex-col gap-16">
          {table.columns.map((column) => (
            <RowField
              key={`${column.id} ${row.version}`}
              column={column}
              value={row.values[column.id]}
              canEdit={table.canEdit}
              onChange={(value) => void writer.setCells([{ rowId: row.id, column, value }])}
            />
          ))}
        </div>
      </PanelSection>
      <PanelSection title={t`History`}>
        <RowHistory table={table} row={row} />
      </PanelSection>
      {table.canEdit && (
        <PanelSection>
          <Button
            look="quiet"
            onClick={async () => {
              if (await writer.removeRows([row.id])) onClose()
            }}
          >
            <Trash2 aria-hidden className="icon" />
            Delete row
          </Button>
        </PanelSection>
      )}
    </Panel>
  )
}

interface RowFieldProps {
  column: TableColumn
  value: unknown
  canEdit: boolean
  onChange: (value: unknown) => void
}

function RowField({ column, value, canEdit, onChange }: RowFieldProps) {
  const [text, setText] = useState(editText(column, value))
  const commit = (next = text) => {
    if (next !== editText(column, value)) onChange(fromText(column, next))
  }
  if (column.type === 'boolean')
    return (
      <label className="flex items-center gap-8 font-medium text-13">
        <input
          type="checkbox"
          checked={value === true}
          disabled={!canEdit}
          onChange={(event) => onChange(event.target.checked)}
        />
        <Name>{column.name}</Name>
      </label>
    )
  if (column.type === 'choice')
    return (
      <Select
        label={column.name}
        value={String((value as string | number | boolean | undefined) ?? '')}
        disabled={!canEdit}
        onChange={(event) => onChange(event.target.value || null)}
      >
        <option value="">{t`Empty`}</option>
        {column.choices?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    )
  if (column.type === 'text')
    return (
      <TextArea
        label={column.name}
        rows={Math.min(8, Math.max(1, text.split('\n').length))}
        value={text}
        readOnly={!canEdit}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => commit()}
      />
    )
  return (
    <TextField
      label={column.name}
      type={column.type === 'date' && !column.time ? 'date' : 'text'}
      value={text}
      readOnly={!canEdit}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => commit()}
    />
  )
}

function RowHistory({ table, row }: { table: Table; row: TableRow }) {
  const { data, error, refetch } = useQuery(rowChangesQuery(table.id, row.id))
  if (error) return <Failure error={error} onRetry={refetch} />
  if (!data) return <SkeletonRows />
  if (data.length === 0) return <p className="text-13 text-neutral-11">No changes in the last 30 days</p>
  return (
    <ol className="flex flex-col gap-12">
      {data.map((change) => (
        <li key={change.seq} className="text-13">
          <p className="text-12 text-neutral-11">
            <Name>{change.by?.name ?? t`Guest`}</Name>
            {change.runId && ` · ${t`Agent run`}`}
            {' · '}
            <Time at={change.createdAt} />
          </p>
          {change.before === null ? (
            <p>Created the row</p>
          ) : change.after === null ? (
            <p>Deleted the row</p>
          ) : (
            table.columns
              .filter(({ id }) => Object.hasOwn(change.after!, id))
              .map((column) => (
                <p key={column.id} className="break-words">
                  <span className="font-medium">
                    <Name>{column.name}</Name>
                  </span>{' '}
                  <del className="text-neutral-11">
                    <Name>{displayText(column, change.before![column.id])}</Name>
                  </del>{' '}
                  <Name>{displayText(column, change.after![column.id]) || '∅'}</Name>
                </p>
              ))
          )}
        </li>
      ))}
    </ol>
  )
}
