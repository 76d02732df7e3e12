import { Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { Model } from '../../api/models.ts'
import { priceLabel } from '../amounts.ts'
import { CONTROL, Field } from './field.tsx'

/** More suggestions are found by typing. */
const SUGGESTIONS_MAX = 100

interface ModelPickerProps {
  label: string
  value: string
  onChange: (model: string) => void
  models: readonly Model[]
  placeholder?: string
  hint?: ReactNode
  error?: string | undefined
  /** The maximum number of characters. */
  limit?: number
}

/**
 * Chooses a model from a list with its price and context window; typing filters the list. An id that is not listed stays:
 * a provider may offer models that it does not list.
 */
export function ModelPicker({
  label,
  value,
  onChange,
  models,
  placeholder,
  hint,
  error,
  limit,
}: ModelPickerProps) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const [active, setActive] = useState(-1)
  const suggestions = suggest(models, isTyped ? value : '')
  const choose = (model: Model) => {
    onChange(model.id)
    setOpen(false)
  }
  const open = () => {
    setOpen(true)
    setTyped(false)
    setActive(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const suggestion = suggestions[active]
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move && !isOpen) open()
    else if (move && suggestions.length > 0)
      setActive((Math.max(active, move === 1 ? -1 : 0) + move + suggestions.length) % suggestions.length)
    else if (event.key === 'Escape' && isOpen) setOpen(false)
    else if (event.key === 'Enter' && isOpen && suggestion) choose(suggestion)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Field label={label} hint={hint} error={error} limit={limit} value={value}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={value}
            onChange={(event) => {
              onChange(event.target.value)
              setOpen(true)
              setTyped(true)
              setActive(-1)
            }}
            onClick={() => !isOpen && open()}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            className={`h-32 pr-32 ${CONTROL}`}
          />
          <ChevronDown
            aria-hidden
            className="icon pointer-events-none absolute top-8 right-8 text-neutral-11"
          />
          {isOpen && (
            <div
              ref={showWhole}
              id={listId}
              role="listbox"
              aria-label={label}
              className="absolute inset-x-0 top-full z-30 mt-4 max-h-half scroll-mb-foot animate-appear overflow-y-auto rounded-panel bg-float p-4 shadow-float"
            >
              {suggestions.length === 0 && <NoMatch isEmpty={models.length === 0} />}
              {suggestions.map((model, index) => (
                <Suggestion
                  key={model.id}
                  id={`${listId}-${index}`}
                  model={model}
                  isActive={index === active}
                  isChosen={model.id === value}
                  onChoose={() => choose(model)}
                />
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  )
}

/** Scrolls the page so far that the list is visible. */
const showWhole = (list: HTMLElement | null) => list?.scrollIntoView({ block: 'nearest' })

const NoMatch = ({ isEmpty }: { isEmpty: boolean }) => (
  <p className="px-8 py-4 text-12 text-neutral-11">
    {isEmpty
      ? 'No models yet. Add a provider in Settings → Models.'
      : 'No listed model matches. The id is used as typed.'}
  </p>
)

interface SuggestionProps {
  id: string
  model: Model
  isActive: boolean
  isChosen: boolean
  onChoose: () => void
}

function Suggestion({ id, model, isActive, isChosen, onChoose }: SuggestionProps) {
  const { contextWindow, pricing, availability, isTest } = model
  const facts = [
    isTest && 'test model',
    availability === 'unavailable' && 'unavailable',
    contextWindow && `${compact(contextWindow)} tokens`,
    pricing ? `${priceLabel(pricing.input)} in, ${priceLabel(pricing.output)} out` : 'price unknown',
  ].filter(Boolean)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
    <div
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' })
      }}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // The input keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className="flex min-h-32 cursor-pointer items-center gap-8 rounded-control px-8 py-4 hover:bg-neutral-3 aria-selected:bg-neutral-4"
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-8">
        <span className="wrap-anywhere text-13">{model.id}</span>
        <span className="text-12 text-neutral-11 tabular-nums">{facts.join(' · ')}</span>
      </span>
      {isChosen && <Check aria-hidden className="icon" />}
    </div>
  )
}

const compact = (tokens: number) =>
  tokens.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Models whose id or name contains every typed word. */
function suggest(models: readonly Model[], typed: string): Model[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return models
    .filter(({ id, name }) => words.every((word) => `${id} ${name}`.toLowerCase().includes(word)))
    .slice(0, SUGGESTIONS_MAX)
}
