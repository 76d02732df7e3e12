import { ChevronRight } from 'lucide-react'
import { NamedChoice } from '../../components/forms/named-choice.tsx'
import type { EventTypeEntry } from './webhooks-queries.ts'

interface EventCategoryProps {
  category: string
  members: EventTypeEntry[]
  chosen: string[]
  onChange: (chosen: string[]) => void
  opened: boolean
  onToggle: () => void
}

/** A category as a whole, and below it what it is made of. */
export function EventCategory(props: EventCategoryProps) {
  const { category, members, chosen, onChange, opened, onToggle } = props
  const whole = `${category}.*`
  const isWhole = chosen.includes(whole)
  const names = members.map(({ name }) => name)
  const count = isWhole ? names.length : names.filter((name) => chosen.includes(name)).length
  const toggle = (entry: string, on: boolean) => {
    const rest = chosen.filter((other) => other !== entry && (entry !== whole || !names.includes(other)))
    onChange(on ? [...rest, entry] : rest)
  }
  return (
    <li className="border-neutral-6 border-b last:border-b-0">
      <div className="flex items-center hover:bg-neutral-3">
        <label className="flex h-row min-w-0 flex-1 items-center gap-8 pl-12 text-12">
          <input
            type="checkbox"
            aria-label={whole}
            checked={isWhole}
            ref={(box) => {
              if (box) box.indeterminate = !isWhole && count > 0
            }}
            onChange={(event) => toggle(whole, event.target.checked)}
            className="icon"
          />
          <code className="font-mono">{whole}</code>
        </label>
        <button
          type="button"
          aria-expanded={opened}
          onClick={onToggle}
          className="flex h-row items-center gap-8 rounded-control px-12 text-12 text-neutral-11 -outline-offset-2 hover:text-neutral-12"
        >
          <span className="sr-only">{category}:</span>
          <span className="tabular-nums">
            {count > 0
              ? `${count} of ${names.length}`
              : `${names.length} ${names.length === 1 ? 'type' : 'types'}`}
          </span>
          <ChevronRight aria-hidden className={`icon transition-transform ${opened ? 'rotate-90' : ''}`} />
        </button>
      </div>
      {opened && (
        <ul className="pb-4">
          {members.map(({ name, description }) => (
            <li key={name}>
              <NamedChoice
                name={name}
                description={description}
                checked={chosen.includes(name)}
                included={isWhole}
                onToggle={(on) => toggle(name, on)}
                className="py-4 pr-12 pl-32"
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
