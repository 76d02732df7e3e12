import { t } from '../../../../contract/text.ts'
import type { Usage, UsageItem } from '../../../api/usage.ts'
import { SERIES_COLORS } from '../../../components/charts/chart.tsx'
import { agentHue } from '../../../components/faces.tsx'

type Group = Usage['groupBy']

const WITHOUT: Record<Group, string> = {
  day: '–',
  project: t`No project`,
  agent: t`No agent`,
  model: t`No model`,
  user: t`No member`,
  key: t`Without an API key`,
}

/** For a call, a text message or a web search, the ledger's model is kind and provider, such as `call/twilio`. */
const KINDS: Record<string, string> = { call: t`Phone calls`, sms: t`Text messages`, search: t`Web searches` }
const PROVIDERS: Record<string, string> = {
  twilio: 'Twilio',
  openai: 'OpenAI',
  elevenlabs: 'ElevenLabs',
  anthropic: 'Anthropic',
  google: 'Google',
  searxng: 'SearXNG',
  brave: 'Brave Search',
  tavily: 'Tavily',
  exa: 'Exa',
  kagi: 'Kagi',
}

export function nameOfGroup(groupBy: Group, { key, name }: Pick<UsageItem, 'key' | 'name'>): string {
  if (key === null) return WITHOUT[groupBy]
  const [kind = '', provider = ''] = key.split('/')
  if (groupBy === 'model' && KINDS[kind]) return `${KINDS[kind]}, ${PROVIDERS[provider] ?? provider}`
  return name ?? t`Private project`
}

/**
 * Each item's color, in order of cost. An agent has its face's color unless a costlier one has it already. Class names, so
 * that Tailwind finds them.
 */
export function colorGroups({
  groupBy,
  items,
}: Pick<Usage, 'groupBy' | 'items'>): Map<string | null, string> {
  const colors = new Map<string | null, string>()
  const left = new Set<string>(SERIES_COLORS)
  for (const { key } of items) {
    const own = groupBy === 'agent' && key !== null ? HUES[agentHue(key) - 1]! : undefined
    const color = own !== undefined && left.has(own) ? own : [...left][0]
    if (color === undefined) break
    left.delete(color)
    colors.set(key, color)
  }
  return colors
}

const HUES = [
  ...['bg-hue-1', 'bg-hue-2', 'bg-hue-3', 'bg-hue-4'],
  ...['bg-hue-5', 'bg-hue-6', 'bg-hue-7', 'bg-hue-8'],
] as const
