import type { ReactNode } from 'react'
import { LOCALE, t } from '../../../contract/text.ts'
import type { Model } from '../../api/models.ts'
import { priceLabel } from '../amounts.ts'
import { Combobox } from './combobox.tsx'

/** Typing finds more. */
const SUGGESTIONS_MAX = 100

interface ModelPickerProps {
  label: string
  value: string
  onChange: (model: string) => void
  models: readonly Model[]
  placeholder?: string
  hint?: ReactNode
  error?: string | undefined
  /** In characters. */
  limit?: number
}

/** An unlisted id stays, because a provider may offer models it doesn't list. */
export function ModelPicker({ value, onChange, models, ...field }: ModelPickerProps) {
  return (
    <Combobox
      {...field}
      text={value}
      match={(search) => suggest(models, search)}
      keyOf={({ id }) => id}
      isChosen={({ id }) => id === value}
      onChoose={({ id }) => onChange(id)}
      onType={onChange}
      noMatch={
        models.length === 0
          ? t`No models yet. Add a provider in Settings → Models.`
          : t`No matching model. The ID is used as typed.`
      }
    >
      {(model) => <Suggestion model={model} />}
    </Combobox>
  )
}

function Suggestion({ model }: { model: Model }) {
  const { contextWindow, pricing, availability, isTest } = model
  const facts = [
    isTest && t`test model`,
    availability === 'unavailable' && 'unavailable',
    contextWindow && t`${compact(contextWindow)} tokens`,
    pricing ? t`${priceLabel(pricing.input)} in, ${priceLabel(pricing.output)} out` : t`price unknown`,
  ].filter(Boolean)
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-8">
      <span className="wrap-anywhere">{model.id}</span>
      <span className="text-12 text-neutral-11 tabular-nums">{facts.join(' · ')}</span>
    </span>
  )
}

const compact = (tokens: number) =>
  tokens.toLocaleString(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })

function suggest(models: readonly Model[], typed: string): Model[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return models
    .filter(({ id, name }) => words.every((word) => `${id} ${name}`.toLowerCase().includes(word)))
    .slice(0, SUGGESTIONS_MAX)
}
