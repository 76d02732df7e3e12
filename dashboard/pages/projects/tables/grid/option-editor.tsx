import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import type { TableColumn } from '../../../../api/tables.ts'
import { OptionList } from '../../../../components/forms/combobox.tsx'
import { type LinkTarget, TargetOption, useLinkTargets } from '../link-search.tsx'
import { ChoicePill } from './cell-value.tsx'
import { isLink, type LinkValue } from './cell-values.ts'

export interface EditorProps {
  column: TableColumn
  value: unknown
  /** Replaces the value: what was typed to begin. */
  typed: string | null
  /** Undefined without a change. */
  onCommit: (value: unknown, move: 'down' | 'right' | 'left' | 'stay', shown?: unknown) => void
  onCancel: () => void
}

/** Wide enough for a title and its time. */
const LIST_WIDTH = 280

interface Option extends Omit<LinkTarget, 'id'> {
  /** Null empties the cell. */
  id: string | null
}

const EMPTY: Option = { id: null, title: null }
const keyOf = ({ id }: Option) => id ?? ''

export function ChoiceEditor(props: EditorProps) {
  const { column, value, typed, onCommit } = props
  const [search, setSearch] = useState(typed ?? '')
  const words = search.trim().toLowerCase()
  const found = (column.choices ?? []).filter(({ name }) => name.toLowerCase().includes(words))
  return (
    <OptionEditor
      {...props}
      {...{ search, onSearch: setSearch }}
      chosen={typeof value === 'string' ? value : null}
      options={[...(words ? [] : [EMPTY]), ...found.map(({ id, name }) => ({ id, title: name }))]}
      noMatch={t`No choice matches`}
      onChoose={({ id }, move) => onCommit(id, move)}
    >
      {({ id }) => <ChoicePill column={column} id={id} />}
    </OptionEditor>
  )
}

export function LinkEditor({ tableId, ...props }: EditorProps & { tableId: string }) {
  const { column, value, typed, onCommit } = props
  const [search, setSearch] = useState(typed ?? '')
  const { targets, noMatch } = useLinkTargets(tableId, column, search)
  const link = isLink(value) ? value : null
  const others = targets.filter(({ id }) => id !== link?.id)
  return (
    <OptionEditor
      {...props}
      {...{ search, onSearch: setSearch, noMatch }}
      chosen={link?.id ?? null}
      // The current one first, so that Enter keeps it.
      options={link && search.trim() === '' ? [link, EMPTY, ...others] : targets}
      onChoose={({ id, title }, move) => onCommit(id, move, id === null ? null : toLink(id, title))}
    >
      {(option) => <TargetOption column={column} option={option} />}
    </OptionEditor>
  )
}

const toLink = (id: string, title: string | null): LinkValue => ({ id, title, missing: false })

interface OptionEditorProps extends EditorProps {
  search: string
  onSearch: (search: string) => void
  chosen: string | null
  options: readonly Option[]
  noMatch: ReactNode
  onChoose: (option: Option, move: 'down' | 'right' | 'left' | 'stay') => void
  children: (option: Option) => ReactNode
}

/** A list below the cell, with a search in it. Enter chooses, Escape and leaving the cell keep its value. */
function OptionEditor(props: OptionEditorProps) {
  const { column, search, onSearch, chosen, options, noMatch, onCommit, onCancel } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  const isSearching = search.trim() !== ''
  const [moved, setMoved] = useState<number | null>(null)
  const start = isSearching ? 0 : options.findIndex(({ id }) => id === chosen)
  const active = Math.min(moved ?? Math.max(0, start), options.length - 1)
  const option = options[active]
  const onChoose = (each: Option, move: 'down' | 'right' | 'left' | 'stay') =>
    each.id === chosen ? onCommit(undefined, move) : props.onChoose(each, move)

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const beside = event.shiftKey ? 'left' : 'right'
    if (step) setMoved((active + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter' && option) onChoose(option, 'down')
    else if (event.key === 'Tab' && option && (isSearching || moved !== null)) onChoose(option, beside)
    else if (event.key === 'Tab') onCommit(undefined, beside)
    else if (event.key === 'Escape') onCancel()
    else if (event.key !== 'Enter') return
    event.preventDefault()
  }

  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label={t`Value of ${column.name}`}
        aria-autocomplete="list"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={option ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t`Search`}
        value={search}
        className="size-full border-0 bg-card px-8 text-16 outline-2 -outline-offset-2 outline-selection sm:text-13"
        onChange={(event) => {
          setMoved(null)
          onSearch(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={onCancel}
      />
      <OptionList
        id={listId}
        label={column.name}
        widthMin={LIST_WIDTH}
        isChosen={({ id }) => id !== null && id === chosen}
        onChoose={(each) => onChoose(each, 'stay')}
        {...{ input, active, options, keyOf, noMatch }}
      >
        {(each) => (each.id === null ? <span className="text-neutral-11">Empty</span> : props.children(each))}
      </OptionList>
    </>
  )
}
