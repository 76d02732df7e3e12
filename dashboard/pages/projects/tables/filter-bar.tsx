import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { OPS_BY_TYPE } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import { linkTargetQuery, type Table, type TableColumn } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { OPS } from './column-types.ts'
import { fieldText, fieldType, fromText } from './grid/cell-values.ts'
import { LinkSearch } from './link-search.tsx'
import type { Condition, Conditions, ViewState } from './view-state.ts'

const BAR = 'flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24'

const SINGLE_OPS = (type: TableColumn['type']) =>
  OPS_BY_TYPE[type].filter((op) => op !== 'in' && op !== 'not_in')

export const newCondition = ({ id, type }: TableColumn): Condition => ({
  column: id,
  op: SINGLE_OPS(type)[0]!,
})

export function FilterBar({ table, view }: { table: Table; view: ViewState }) {
  const { columns } = table
  if (!view.conditions)
    return (
      <div className={`text-13 ${BAR}`}>
        This filter is too deep to edit here.
        <Button size="small" onClick={() => view.change({ filter: undefined })}>
          Remove filter
        </Button>
      </div>
    )
  const { match, conditions } = view.conditions
  const change = (next: Partial<Conditions>) => view.setConditions({ match, conditions, ...next })
  const set = (index: number, condition: Condition) =>
    change({ conditions: conditions.with(index, condition) })
  return (
    <div className={BAR}>
      {conditions.length > 1 && (
        <InlineSelect
          small
          label={t`Match`}
          value={match}
          options={[
            { value: 'all', label: t`All of` },
            { value: 'any', label: t`Any of` },
          ]}
          onChoose={(next) => change({ match: next })}
        />
      )}
      {conditions.map((condition, index) => {
        const column = columns.find(({ id }) => id === condition.column)
        if (!column) return null
        return (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity.
            key={index}
            aria-label={t`Condition ${index + 1}`}
            className="flex min-w-0 max-w-full items-center gap-4 rounded-control border border-neutral-6 bg-card p-4 max-sm:w-full max-sm:flex-wrap"
          >
            <InlineSelect
              small
              narrow
              label={t`Column`}
              value={column.id}
              options={columns.map(({ id, name }) => ({ value: id, label: name }))}
              onChoose={(id) => set(index, newCondition(columns.find((each) => each.id === id)!))}
            />
            <InlineSelect
              small
              label={t`Condition`}
              value={condition.op}
              options={SINGLE_OPS(column.type).map((op) => ({ value: op, label: OPS[op] }))}
              onChoose={(op) => set(index, withOp(condition, op))}
            />
            {condition.op !== 'empty' && condition.op !== 'not_empty' && (
              // On phones, a line of its own.
              <div className="flex min-w-0 max-sm:order-last max-sm:basis-full">
                <ConditionValue
                  tableId={table.id}
                  column={column}
                  value={condition.value}
                  onChange={(value) => set(index, { ...condition, value })}
                />
              </div>
            )}
            <Button
              look="quiet"
              size="small-icon"
              className="max-sm:ml-auto max-sm:size-32"
              aria-label={t`Remove condition`}
              onClick={() => change({ conditions: conditions.toSpliced(index, 1) })}
            >
              <X aria-hidden className="icon" />
            </Button>
          </fieldset>
        )
      })}
      <Button
        look="quiet"
        size="small"
        disabled={columns.length === 0}
        onClick={() => {
          const [first] = columns
          if (first) change({ conditions: [...conditions, newCondition(first)] })
        }}
      >
        <Plus aria-hidden className="icon" />
        Add condition
      </Button>
    </div>
  )
}

/** The server refuses a value that the condition doesn't take. */
const withOp = ({ column, value }: Condition, op: Condition['op']): Condition =>
  op === 'empty' || op === 'not_empty' ? { column, op } : { column, op, value }

interface ConditionValueProps {
  tableId: string
  column: TableColumn
  value: unknown
  onChange: (value: unknown) => void
}

function ConditionValue(props: ConditionValueProps) {
  const { column, value, onChange } = props
  const label = t`Value`
  const text = String((value as string | number | boolean | undefined) ?? '')
  const options = optionsOf(column)
  if (options)
    return (
      <InlineSelect
        small
        label={label}
        value={text}
        options={[{ value: '', label: t`Choose…` }, ...options]}
        onChoose={(next) =>
          onChange(next === '' ? undefined : column.type === 'boolean' ? next === 'true' : next)
        }
      />
    )
  if (column.type === 'link') return <LinkCondition {...props} />
  return (
    <input
      aria-label={label}
      type={fieldType(column)}
      inputMode={column.type === 'number' || column.type === 'money' ? 'decimal' : undefined}
      value={fieldText(column, value)}
      onChange={(event) => onChange(toTyped(column, event.target.value))}
      className="h-24 w-status min-w-0 rounded-control border border-neutral-7 bg-card px-8 text-12 max-sm:h-32 max-sm:w-full max-sm:text-16"
    />
  )
}

function LinkCondition({ tableId, column, value, onChange }: ConditionValueProps) {
  const id = typeof value === 'string' ? value : ''
  const { data } = useQuery(linkTargetQuery(tableId, column.id, id))
  return (
    <div className="w-qr min-w-0 max-sm:w-full">
      <LinkSearch
        labelHidden
        small
        label={t`Value`}
        tableId={tableId}
        column={column}
        value={id}
        title={id === '' ? '' : data === null ? t`Missing` : (data?.title ?? t`Untitled`)}
        onChoose={(target) => onChange(target.id)}
      />
    </div>
  )
}

/** Of columns whose values are listed. */
function optionsOf({ type, choices = [] }: TableColumn): { value: string; label: string }[] | null {
  if (type === 'choice') return choices.map(({ id, name }) => ({ value: id, label: name }))
  if (type !== 'boolean') return null
  return [
    { value: 'true', label: t`Yes` },
    { value: 'false', label: t`No` },
  ]
}

/** A comma is a decimal point for some. */
function toTyped(column: TableColumn, text: string): unknown {
  if (column.type === 'number' || column.type === 'money')
    return text.replace(',', '.').replace(/[^\d.-]/g, '')
  return column.type === 'date' ? fromText(column, text) : text
}
