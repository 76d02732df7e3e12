import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Trash2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import {
  rowChangesQuery,
  rowQuery,
  type Table,
  type TableColumn,
  type TableRow,
} from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { displayText, fieldText, fieldType, fromText, isLink } from './grid/cell-values.ts'
import type { RowWriter } from './grid/row-writer.ts'
import { withPending } from './grid/use-rows.ts'
import { LinkSearch } from './link-search.tsx'
import { LinkChip } from './links.tsx'

interface RowPanelProps {
  table: Table
  rowId: string
  /** If it's on screen, it's shown at once. */
  row: TableRow | undefined
  writer: RowWriter
  /** To the rows before and after it, where there are some. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
}

export function RowPanel({ table, rowId, row: shown, writer, onPrevious, onNext, onClose }: RowPanelProps) {
  const { data, error, refetch } = useQuery({ ...rowQuery(table.id, rowId), enabled: !shown })
  const pending = writer.pending.use().get(rowId)
  const row = shown ?? (data && withPending(data, pending))
  const [first] = table.columns
  const title = (first && row && displayText(first, row.values[first.id])) || t`Row`
  const steps = (
    <>
      <Button
        look="quiet"
        size="icon"
        aria-label={t`Previous row`}
        disabled={!onPrevious}
        onClick={onPrevious}
      >
        <ArrowUp aria-hidden className="icon" />
      </Button>
      <Button look="quiet" size="icon" aria-label={t`Next row`} disabled={!onNext} onClick={onNext}>
        <ArrowDown aria-hidden className="icon" />
      </Button>
    </>
  )
  return (
    <Panel title={title} actions={steps} onClose={onClose}>
      {row ? (
        <RowFields key={row.id} {...{ table, row, writer, onClose }} />
      ) : error ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows />
      )}
    </Panel>
  )
}

type RowFieldsProps = Pick<RowPanelProps, 'table' | 'writer' | 'onClose'> & { row: TableRow }

function RowFields({ table, row, writer, onClose }: RowFieldsProps) {
  return (
    <>
      <PanelSection>
        <div className="flex flex-col gap-16">
          {table.columns.map((column) => (
            <RowField
              key={`${column.id} ${column.type}`}
              table={table}
              column={column}
              value={row.values[column.id]}
              onChange={(value, shownAs = value) =>
                void writer.setCells([{ rowId: row.id, column, value, shown: shownAs }])
              }
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
    </>
  )
}

interface RowFieldProps {
  table: Table
  column: TableColumn
  value: unknown
  onChange: (value: unknown, shown?: unknown) => void
}

function RowField(props: RowFieldProps) {
  const { table, column, value, onChange } = props
  if (column.type === 'boolean')
    return (
      <label className="flex items-center gap-8 font-medium text-13">
        <input
          type="checkbox"
          checked={value === true}
          disabled={!table.canEdit}
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
        disabled={!table.canEdit}
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
  return column.type === 'link' ? <LinkField {...props} /> : <TypedField {...props} />
}

function LinkField({ table, column, value, onChange }: RowFieldProps) {
  const link = isLink(value) ? value : null
  return (
    <div className="flex flex-col gap-8">
      {table.canEdit ? (
        <LinkSearch
          label={column.name}
          tableId={table.id}
          column={column}
          value={link?.id}
          title={link?.title ?? ''}
          onChoose={({ id, title }) => onChange(id, { id, title, missing: false })}
        />
      ) : (
        <p className="font-medium text-13">
          <Name>{column.name}</Name>
        </p>
      )}
      {link && (
        <div className="flex min-w-0 items-center gap-4">
          <LinkChip column={column} value={link} projectId={table.projectId} />
          {table.canEdit && (
            <Button
              look="quiet"
              size="small-icon"
              aria-label={t`Remove link`}
              title={t`Remove link`}
              onClick={() => onChange(null)}
            >
              <X aria-hidden className="icon" />
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Follows changes by others until somebody types in it. */
function TypedField({ table, column, value, onChange }: RowFieldProps) {
  const saved = fieldText(column, value)
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? saved
  const commit = () => {
    if (typed !== null && typed !== saved) onChange(fromText(column, typed))
    setTyped(null)
  }
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = field.current
    // Another row, or Back. Development mounts twice.
    return () => {
      if (!element?.isConnected) latest.current()
    }
  }, [])
  const isTyped = typed !== null && typed !== saved
  useEffect(() => {
    if (!isTyped) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isTyped])
  const control = {
    label: column.name,
    value: text,
    readOnly: !table.canEdit,
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
    onBlur: commit,
  }
  return (
    <div ref={field}>
      {column.type === 'text' ? (
        <TextArea {...control} rows={rowsFor(text)} />
      ) : (
        <TextField {...control} type={fieldType(column)} />
      )}
    </div>
  )
}

const ROWS_MAX = 10
/** About as many fit the panel. */
const LINE_CHARACTERS = 50

const rowsFor = (text: string): number =>
  Math.min(
    ROWS_MAX,
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0),
  )

function RowHistory({ table, row }: { table: Table; row: TableRow }) {
  const { data, error, refetch } = useQuery(rowChangesQuery(table.id, row.id, row.version))
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
