import { Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { CONTROL, Field } from './field.tsx'

interface ComboboxProps<Option> {
  label: string
  labelHidden?: boolean
  /** Beside other small controls. */
  small?: boolean | undefined
  text: string
  match: (search: string) => readonly Option[]
  keyOf: (option: Option) => string
  isChosen: (option: Option) => boolean
  onChoose: (option: Option) => void
  /** Set if typed text is the value, listed or not; otherwise typing only searches. */
  onType?: (text: string) => void
  /** For options that a request finds. */
  onSearch?: (search: string) => void
  children: (option: Option) => ReactNode
  noMatch: ReactNode
  placeholder?: string | undefined
  hint?: ReactNode
  error?: string | undefined
  /** In characters. */
  limit?: number | undefined
}

export function Combobox<Option>(props: ComboboxProps<Option>) {
  const { label, text, match, keyOf, isChosen, onChoose, onType, onSearch, children } = props
  const { labelHidden, small, noMatch, placeholder, hint, error, limit } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  /** Null while closed. */
  const [search, setSearch] = useState<string | null>(null)
  /** Where Enter keeps the typed text, it chooses nothing before an arrow key. */
  const first = onType ? -1 : 0
  const [active, setActive] = useState(first)
  const isOpen = search !== null
  const options = isOpen ? match(search) : []
  const open = (typed: string) => {
    setSearch(typed)
    setActive(first)
    onSearch?.(typed)
  }
  const close = () => setSearch(null)
  const choose = (option: Option) => {
    close()
    if (!isChosen(option)) onChoose(option)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[active]
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move && !isOpen) open('')
    else if (move && options.length > 0)
      setActive((Math.max(active, move === 1 ? -1 : 0) + move + options.length) % options.length)
    else if (event.key === 'Escape' && isOpen) close()
    else if (event.key === 'Enter' && isOpen && option) choose(option)
    else if (event.key === 'Enter' && isOpen && !onType) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Field {...{ label, labelHidden, hint, error, limit }} value={text}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            ref={input}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen && options[active] ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={isOpen && !onType && text !== '' ? text : placeholder}
            value={onType ? text : (search ?? text)}
            onChange={({ target }) => {
              onType?.(target.value)
              open(target.value)
            }}
            onClick={() => !isOpen && open('')}
            onBlur={close}
            onKeyDown={onKeyDown}
            className={`pr-32 ${small ? 'h-24 max-sm:h-32 sm:text-12!' : 'h-32'} ${CONTROL}`}
          />
          <ChevronDown
            aria-hidden
            className={`icon pointer-events-none absolute right-8 text-neutral-11 ${small ? 'top-4 max-sm:top-8' : 'top-8'}`}
          />
          {isOpen && (
            <OptionList
              {...{ label, input, active, options, keyOf, isChosen, noMatch, children }}
              id={listId}
              widthMin={small ? SMALL_LIST_PX : 0}
              onChoose={choose}
            />
          )}
        </div>
      )}
    </Field>
  )
}

interface OptionListProps<Option> extends Omit<FloatingListProps, 'children'> {
  options: readonly Option[]
  keyOf: (option: Option) => string
  isChosen: (option: Option) => boolean
  onChoose: (option: Option) => void
  children: (option: Option) => ReactNode
  noMatch: ReactNode
}

/** Of a text field with the role `combobox`, which keeps the focus and handles the keys. */
export function OptionList<Option>(props: OptionListProps<Option>) {
  const { options, keyOf, isChosen, onChoose, noMatch, children, ...list } = props
  return (
    <FloatingList {...list}>
      {options.length === 0 && <p className="px-8 py-4 text-13 text-neutral-11">{noMatch}</p>}
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
        <div
          key={keyOf(option)}
          id={`${list.id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === list.active}
          onClick={() => onChoose(option)}
          className="flex min-h-32 cursor-pointer items-center gap-8 rounded-control px-8 py-4 text-13 hover:bg-hover aria-selected:bg-selected"
        >
          {children(option)}
          {isChosen(option) && <Check role="img" aria-label="Selected" className="icon ml-auto shrink-0" />}
        </div>
      ))}
    </FloatingList>
  )
}

interface FloatingListProps {
  id: string
  label: string
  input: React.RefObject<HTMLInputElement | null>
  active: number
  /** In pixels, if the field is narrower. */
  widthMin?: number
  children: ReactNode
}

/** Of a small field, whose options are wider than it. */
const SMALL_LIST_PX = 280
const GAP_PX = 4
const EDGE_PX = 8
const HEIGHT_PX_MAX = 280

/** In the top layer, so a dialog doesn't clip it. */
function FloatingList({ id, label, input, active, widthMin = 0, children }: FloatingListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = list.current!
    element.showPopover()
    const place = () => {
      const { left, width: fieldWidth, top, bottom } = input.current!.getBoundingClientRect()
      const width = Math.min(Math.max(fieldWidth, widthMin), innerWidth - 2 * EDGE_PX)
      const below = innerHeight - bottom - 2 * GAP_PX
      const isAbove = below < HEIGHT_PX_MAX && top > below
      const height = Math.min(HEIGHT_PX_MAX, isAbove ? top - 2 * GAP_PX : below)
      Object.assign(element.style, {
        left: `${Math.max(Math.min(left, innerWidth - width - EDGE_PX), Math.min(left, EDGE_PX))}px`,
        width: `${width}px`,
        maxHeight: `${height}px`,
        top: isAbove ? 'auto' : `${bottom + GAP_PX}px`,
        bottom: isAbove ? `${innerHeight - top + GAP_PX}px` : 'auto',
      })
    }
    // A smaller window may leave the field and list out of view.
    const follow = () => {
      input.current!.scrollIntoView({ block: 'nearest' })
      place()
    }
    place()
    addEventListener('resize', follow)
    document.addEventListener('scroll', place, true)
    return () => {
      removeEventListener('resize', follow)
      document.removeEventListener('scroll', place, true)
    }
  }, [input, widthMin])
  useLayoutEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      popover="manual"
      // Keeps focus in the input: browsers let Tab stop at a scrolling list, and clicking its edge takes focus too.
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      className="fixed m-0 overflow-y-auto rounded-panel bg-float p-4 text-neutral-12 shadow-float"
    >
      {children}
    </div>
  )
}
