import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { OPS_BY_TYPE } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import type { TableColumn } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { OPS } from './column-types.ts'
import { type Condition, conditionsOf, toFilter, type ViewState } from './view-state.ts'

const SINGLE_OPS = (type: TableColumn['type']) =>
  OPS_BY_TYPE[type].filter((op) => op !== 'in' && op !== 'not_in')

export function FilterBar({ columns, view }: { columns: readonly TableColumn[]; view: ViewState }) {
  const saved = conditionsOf(view.settings.filter)
  const [draft, setDraft] = useState(saved)
  const current = draft ?? saved
  if (!current)
    return (
      <div className="flex items-center gap-8 border-neutral-6 border-b px-16 py-8 text-13 md:px-24">
        This filter is too deep to edit here.
        <Button size="small" onClick={() => view.change({ filter: undefined })}>
          Remove filter
        </Button>
      </div>
    )
  const { match, conditions } = current
  function change(next: { match?: 'all' | 'any'; conditions?: Condition[] }) {
    const changed = { match, conditions, ...next }
    setDraft(changed)
    view.change({ filter: toFilter(changed.match, changed.conditions) })
  }
  const set = (index: number, condition: Condition) =>
    change({ conditions: conditions.with(index, condition) })
  return (
    <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
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
            className="flex min-w-0 max-w-full items-center gap-4 rounded-control border border-neutral-6 bg-card p-4"
          >
            <InlineSelect
              small
              narrow
              label={t`Column`}
              value={column.id}
              options={columns.map(({ id, name }) => ({ value: id, label: name }))}
              onChoose={(id) => {
                const next = columns.find((each) => each.id === id)!
                set(index, { column: id, op: SINGLE_OPS(next.type)[0]! })
              }}
            />
            <InlineSelect
              small
              label={t`Condition`}
              value={condition.op}
              options={SINGLE_OPS(column.type).map((op) => ({ value: op, label: OPS[op] }))}
              onChoose={(op) => set(index, { ...condition, op, value: condition.value })}
            />
            {condition.op !== 'empty' && condition.op !== 'not_empty' && (
              <ConditionValue
                column={column}
                value={condition.value}
                onChange={(value) => set(index, { ...condition, value })}
              />
            )}
            <Button
              look="quiet"
              size="small-icon"
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
          if (first)
            change({ conditions: [...conditions, { column: first.id, op: SINGLE_OPS(first.type)[0]! }] })
        }}
      >
        <Plus aria-hidden className="icon" />
        Add condition
      </Button>
    </div>
  )
}

interface ConditionValueProps {
  column: TableColumn
  value: unknown
  onChange: (value: unknown) => void
}

function ConditionValue({ column, value, onChange }: ConditionValueProps) {
  const label = t`Value`
  if (column.type === 'boolean')
    return (
      <InlineSelect
        small
        label={label}
        value={String((value as string | number | boolean | undefined) ?? '')}
        options={[
          { value: '', label: t`Choose…` },
          { value: 'true', label: t`Yes` },
          { value: 'false', label: t`No` },
        ]}
        onChoose={(next) => onChange(next === '' ? undefined : next === 'true')}
      />
    )
  if (column.type === 'choice')
    return (
      <InlineSelect
        small
        label={label}
        value={String((value as string | number | boolean | undefined) ?? '')}
        options={[
          { value: '', label: t`Choose…` },
          ...(column.choices ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChoose={(next) => onChange(next === '' ? undefined : next)}
      />
    )
  return (
    <input
      aria-label={label}
      type={column.type === 'date' ? 'date' : 'text'}
      inputMode={column.type === 'number' || column.type === 'money' ? 'decimal' : undefined}
      value={String((value as string | number | boolean | undefined) ?? '')}
      onChange={(event) => onChange(isComplete(column, event.target.value))}
      className="h-24 w-status min-w-0 rounded-control border border-neutral-7 bg-card px-8 text-12 max-sm:h-32 max-sm:text-16"
    />
  )
}

/** While a number is being typed, the server would refuse it. */
function isComplete({ type }: TableColumn, text: string): string {
  if (type !== 'number' && type !== 'money') return text
  return text.replace(',', '.').replace(/[^\d.-]/g, '')
}
