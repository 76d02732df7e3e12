import { t } from '../../../../contract/text.ts'
import type { Usage, UsageItem } from '../../../api/usage.ts'
import { OTHER_COLOR, SERIES_COLORS } from '../../../components/charts/chart.tsx'
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

/** For a call or a text message, the ledger's model is kind and provider, such as `call/twilio`. */
const TELEPHONY: Record<string, string> = { call: t`Phone calls`, sms: t`Text messages` }
const PROVIDERS: Record<string, string> = { twilio: 'Twilio', openai: 'OpenAI', elevenlabs: 'ElevenLabs' }

export function nameOfGroup(groupBy: Group, { key, name }: Pick<UsageItem, 'key' | 'name'>): string {
  if (key === null) return WITHOUT[groupBy]
  const [kind = '', provider = ''] = key.split('/')
  if (groupBy === 'model' && TELEPHONY[kind]) return `${TELEPHONY[kind]}, ${PROVIDERS[provider] ?? provider}`
  return name ?? t`Private project`
}

/** An agent has its face's color. Class names, so that Tailwind finds them. */
export function colorOfGroup(groupBy: Group, key: string | null, rank: number): string {
  if (groupBy === 'agent' && key !== null) return HUES[agentHue(key) - 1]!
  return SERIES_COLORS[rank] ?? OTHER_COLOR
}

const HUES = [
  ...['bg-hue-1', 'bg-hue-2', 'bg-hue-3', 'bg-hue-4'],
  ...['bg-hue-5', 'bg-hue-6', 'bg-hue-7', 'bg-hue-8'],
] as const
