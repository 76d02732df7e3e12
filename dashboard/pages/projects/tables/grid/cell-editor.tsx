import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import type { TableColumn } from '../../../../api/tables.ts'
import { editText, fromText } from './cell-values.ts'

interface CellEditorProps {
  column: TableColumn
  value: unknown
  /** Replaces the value: what was typed to begin. */
  typed: string | null
  onCommit: (value: unknown, move: 'down' | 'right' | 'left' | 'stay') => void
  onCancel: () => void
}

const INPUT =
  'size-full border-0 bg-card px-8 text-16 sm:text-13 outline-2 -outline-offset-2 outline-selection'

export function CellEditor({ column, value, typed, onCommit, onCancel }: CellEditorProps) {
  const [text, setText] = useState(typed ?? editText(column, value))
  const ref = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    const input = ref.current
    input?.focus()
    if (typed === null && input && 'select' in input) input.select()
  }, [typed])

  function finish(move: 'down' | 'right' | 'left' | 'stay', next = text) {
    if (isDone.current) return
    isDone.current = true
    if (next === editText(column, value)) onCommit(undefined, move)
    else onCommit(fromText(column, next), move)
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      isDone.current = true
      onCancel()
    } else if (event.key === 'Enter' && !(event.shiftKey && column.type === 'text')) {
      event.preventDefault()
      finish('down')
    } else if (event.key === 'Tab') {
      event.preventDefault()
      finish(event.shiftKey ? 'left' : 'right')
    }
  }

  const label = t`Value of ${column.name}`
  if (column.type === 'choice')
    return (
      <select
        ref={ref}
        aria-label={label}
        value={text}
        className={INPUT}
        onKeyDown={onKeyDown}
        onBlur={() => finish('stay')}
        onChange={(event) => {
          setText(event.target.value)
          finish('stay', event.target.value)
        }}
      >
        <option value="">{t`Empty`}</option>
        {column.choices?.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </select>
    )
  if (column.type === 'text')
    return (
      <textarea
        ref={ref}
        aria-label={label}
        rows={1}
        value={text}
        className={`${INPUT} min-h-32 resize-none py-4`}
        onKeyDown={onKeyDown}
        onBlur={() => finish('stay')}
        onChange={(event) => setText(event.target.value)}
      />
    )
  return (
    <input
      ref={ref}
      aria-label={label}
      type={column.type === 'date' && !column.time && typed === null ? 'date' : 'text'}
      inputMode={column.type === 'number' || column.type === 'money' ? 'decimal' : undefined}
      value={text}
      className={INPUT}
      onKeyDown={onKeyDown}
      onBlur={() => finish('stay')}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
