import { Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { browserTimeZone } from '../../state/browser-time-zone.ts'
import { CONTROL, Field } from './field.tsx'
import { matchTimeZones, zoneLabel, zoneOffset } from './time-zones.ts'

interface TimeZoneFieldProps {
  value: string
  onChange: (timeZone: string) => void
  error?: string
}

const ZONES = Intl.supportedValuesOf('timeZone')

/** A time zone by name, city or offset; the browser's own comes first. */
export function TimeZoneField({ value, onChange, error }: TimeZoneFieldProps) {
  const listId = useId()
  /** The typed search; null while the list is closed. */
  const [search, setSearch] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const isOpen = search !== null
  const ownZone = browserTimeZone()
  const zones = isOpen ? matchTimeZones(search, { all: ZONES, first: [ownZone, value, 'UTC'] }) : []
  const open = (text: string) => {
    setSearch(text)
    setActive(0)
  }
  const choose = (zone: string | undefined) => {
    setSearch(null)
    if (zone && zone !== value) onChange(zone)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open('')
      const next = active + (event.key === 'ArrowDown' ? 1 : -1)
      setActive(Math.max(0, Math.min(zones.length - 1, next)))
    } else if (isOpen && event.key === 'Enter') {
      event.preventDefault()
      choose(zones[active])
    } else if (isOpen && event.key === 'Escape') {
      // Closes the list and leaves the dialog around it open.
      event.preventDefault()
      event.stopPropagation()
      setSearch(null)
    }
  }
  return (
    <Field label="Time zone" error={error}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            ref={input}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-activedescendant={isOpen && zones[active] ? `${listId}-${active}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder={isOpen ? zoneLabel(value) : undefined}
            value={search ?? zoneLabel(value)}
            onChange={(event) => open(event.target.value)}
            onClick={() => !isOpen && open('')}
            onBlur={() => setSearch(null)}
            onKeyDown={onKeyDown}
            className={`h-32 pr-32 ${CONTROL}`}
          />
          <ChevronDown
            aria-hidden
            className="icon pointer-events-none absolute top-8 right-8 text-neutral-11"
          />
          {isOpen && (
            <ZoneList
              id={listId}
              input={input}
              zones={zones}
              active={active}
              value={value}
              ownZone={ownZone}
              onChoose={choose}
            />
          )}
        </div>
      )}
    </Field>
  )
}

interface ZoneListProps {
  id: string
  input: React.RefObject<HTMLInputElement | null>
  zones: readonly string[]
  active: number
  value: string
  ownZone: string
  onChoose: (zone: string) => void
}

const GAP_PX = 4
const HEIGHT_PX_MAX = 280

/** In the top layer, so that a dialog does not clip it. */
function ZoneList({ id, input, zones, active, value, ownZone, onChoose }: ZoneListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = list.current!
    element.showPopover()
    const place = () => {
      const { left, width, top, bottom } = input.current!.getBoundingClientRect()
      const below = innerHeight - bottom - 2 * GAP_PX
      const isAbove = below < HEIGHT_PX_MAX && top > below
      const height = Math.min(HEIGHT_PX_MAX, isAbove ? top - 2 * GAP_PX : below)
      Object.assign(element.style, {
        left: `${left}px`,
        width: `${width}px`,
        maxHeight: `${height}px`,
        top: isAbove ? 'auto' : `${bottom + GAP_PX}px`,
        bottom: isAbove ? `${innerHeight - top + GAP_PX}px` : 'auto',
      })
    }
    place()
    addEventListener('resize', place)
    document.addEventListener('scroll', place, true)
    return () => {
      removeEventListener('resize', place)
      document.removeEventListener('scroll', place, true)
    }
  }, [input])
  useLayoutEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Time zones"
      popover="manual"
      className="fixed m-0 overflow-y-auto rounded-panel bg-float p-4 text-neutral-12 shadow-float"
    >
      {zones.length === 0 && <p className="px-8 py-4 text-13 text-neutral-11">No time zone matches.</p>}
      {zones.map((zone, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
        <div
          key={zone}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The input keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(zone)}
          className="flex min-h-32 cursor-pointer items-center gap-8 rounded-control px-8 text-13 hover:bg-neutral-3 aria-selected:bg-neutral-4"
        >
          <span className="min-w-0 flex-1 truncate">
            {zoneLabel(zone)}
            {zone === ownZone && <span className="text-neutral-11"> · this browser</span>}
          </span>
          <span className="shrink-0 text-12 text-neutral-11 tabular-nums">{zoneOffset(zone)}</span>
          {zone === value && <Check role="img" aria-label="Chosen" className="icon shrink-0" />}
        </div>
      ))}
    </div>
  )
}
