import type { Usage, UsageItem } from '../../../api/usage.ts'

const WITHOUT: Record<Usage['groupBy'], string> = {
  day: '–',
  project: 'Without a project',
  agent: 'Without an agent',
  model: 'Without a model',
  user: 'Without a person',
  key: 'Without an API key',
}

/** In the ledger, the model of a call or a text message is its kind and its provider, such as `call/twilio`. */
const TELEPHONY: Record<string, string> = { call: 'Phone calls', sms: 'Text messages' }
const PROVIDERS: Record<string, string> = { twilio: 'Twilio', openai: 'OpenAI', elevenlabs: 'ElevenLabs' }

/** The name of a row of the table and of a color of the chart. */
export function nameOfGroup(
  groupBy: Usage['groupBy'],
  { key, name }: Pick<UsageItem, 'key' | 'name'>,
): string {
  if (key === null) return WITHOUT[groupBy]
  const [kind = '', provider = ''] = key.split('/')
  if (groupBy === 'model' && TELEPHONY[kind]) return `${TELEPHONY[kind]}, ${PROVIDERS[provider] ?? provider}`
  return name ?? 'A private project'
}
