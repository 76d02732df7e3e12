import { PROVIDER_PRESETS, type ProviderPreset } from '../../../contract/models/providers.ts'
import { t } from '../../../contract/text.ts'

export const OTHER: ProviderPreset = {
  id: 'other',
  name: t`Other OpenAI-compatible server`,
  kind: 'openai-compatible',
  url: '',
  hint: t`Any server that supports the OpenAI Chat Completions API.`,
}

export const PRESETS: readonly ProviderPreset[] = [...PROVIDER_PRESETS, OTHER]

const SLUG_LENGTH_MAX = 40

/** The part of a model id before the slash. Empty if the name has no ASCII letters or digits. */
export const toSlug = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-+|-+$/g, '')

/** `openai`, then `openai-2`. */
export function makeUnique(text: string, taken: readonly string[], separator = '-'): string {
  if (!taken.includes(text)) return text
  let number = 2
  while (taken.includes(`${text}${separator}${number}`)) number++
  return `${text}${separator}${number}`
}

export const modelNames = (text: string) => text.split(/[\s,]+/).filter(Boolean)
