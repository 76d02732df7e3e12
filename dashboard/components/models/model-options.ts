import { useQuery } from '@tanstack/react-query'
import { t } from '../../../contract/text.ts'
import { agentChoicesQuery } from '../../api/agents.ts'
import { type Model, modelListQuery, type ProviderState } from '../../api/models.ts'
import { orgSettingsQuery } from '../../api/organizations.ts'

export interface ModelOption {
  /** Empty for the organization's default. */
  id: string
  provider: string
  name: string
  note: string
  contextWindow: number | null
  pricing: { input: number; output: number } | null
  /** Instead of a price. */
  priceNote?: string
}

export interface ModelGroup {
  label: string
  options: ModelOption[]
}

/** Typing finds more. */
const OPTIONS_MAX = 120

/** Undefined until loaded. */
export function useModelOffers() {
  const list = useQuery(modelListQuery).data
  const settings = useQuery(orgSettingsQuery).data
  if (!list || !settings) return undefined
  return { models: list.items, providers: list.providers, defaultModel: settings.defaultModel }
}

/** What the organization's agents use comes first, then each provider's other models, then test models. */
export function useModelGroups(
  search: string,
  { hasDefault, value }: { hasDefault: boolean; value: string },
): ModelGroup[] {
  const offers = useModelOffers()
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  if (!offers) return []
  const { models, providers, defaultModel } = offers
  const usedIds = new Set(
    [value, ...agents.flatMap(({ model, fallbackModels }) => [model, ...fallbackModels])].filter(Boolean),
  )
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ id, name }: Pick<Model, 'id' | 'name'>) =>
    words.every((word) => `${id} ${name}`.toLowerCase().includes(word))
  const found = models.filter(matches).slice(0, OPTIONS_MAX)
  const isUsed = ({ id }: Model) => usedIds.has(id)
  const providerName = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id
  const own = found.filter(isUsed).map((model) => toOption(model, providers, providerName(model.provider)))
  const others = found.filter((model) => !isUsed(model) && !model.isTest)
  const defaultOption = hasDefault && words.length === 0 ? [toDefault(models, defaultModel)] : []
  const typed = search.trim()
  const isUnlisted = TYPED_MODEL.test(typed) && !models.some(({ id }) => id === typed)
  const isListed = (id: string) => models.some((model) => model.id === id)
  const unlistedValue =
    value && !isListed(value) && matches({ id: value, name: '' }) ? [unlisted(value, t`Not listed`)] : []
  const groups = [
    { label: t`Used in this organization`, options: [...defaultOption, ...unlistedValue, ...own] },
    ...providers.map(({ id, name, source }) => ({
      label: source === 'local' ? t`Found on your network` : name,
      options: others
        .filter(({ provider }) => provider === id)
        .map((model) => toOption(model, providers, source === 'local' ? t`${name}, data stays here` : '')),
    })),
    {
      label: t`Test models`,
      options: found
        .filter((model) => !isUsed(model) && model.isTest)
        .map((model) => toOption(model, providers, '')),
    },
    { label: t`Not listed`, options: isUnlisted ? [unlisted(typed, t`Used as typed`)] : [] },
  ]
  return mergeByLabel(groups).filter(({ options }) => options.length > 0)
}

/** A provider and a model. */
const TYPED_MODEL = /^[a-z0-9][a-z0-9_-]*\/\S+$/

const unlisted = (id: string, note: string): ModelOption => ({
  id,
  provider: id.split('/')[0]!,
  name: id,
  note,
  contextWindow: null,
  pricing: null,
})

/** Several local servers are one group. */
function mergeByLabel(groups: ModelGroup[]): ModelGroup[] {
  const merged = new Map<string, ModelOption[]>()
  for (const { label, options } of groups) merged.set(label, [...(merged.get(label) ?? []), ...options])
  return [...merged].map(([label, options]) => ({ label, options }))
}

function toOption(model: Model, providers: readonly ProviderState[], note: string): ModelOption {
  const { id, provider, name, contextWindow, pricing, availability, isTest } = model
  const isLocal = providers.some((each) => each.id === provider && each.source === 'local')
  return {
    id,
    provider,
    name,
    note: availability === 'unavailable' ? t`unavailable` : note,
    contextWindow,
    pricing: isTest ? null : pricing,
    ...((isLocal || isTest) && { priceNote: t`Free` }),
  }
}

function toDefault(models: readonly Model[], defaultModel: string | null): ModelOption {
  const model = models.find(({ id }) => id === defaultModel)
  return {
    id: '',
    provider: defaultModel?.split('/')[0] ?? '',
    name: model?.name ?? defaultModel ?? t`First available model`,
    note: t`Organization default`,
    contextWindow: model?.contextWindow ?? null,
    pricing: model?.pricing ?? null,
  }
}
