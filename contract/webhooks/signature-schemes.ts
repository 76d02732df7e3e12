import { dictionary } from '../dictionary.ts'
/** How a sender authenticates. `auto` accepts any scheme. */
export const SCHEME_NAMES = [
  'auto',
  'standard',
  'github',
  'gitlab',
  'stripe',
  'slack',
  'linear',
  'shopify',
  'jira',
  'elevenlabs',
  'telegram',
  'generic',
  'secret',
] as const
export type SchemeName = (typeof SCHEME_NAMES)[number]

/** Sources with a known scheme: their webhooks accept no other. */
export const SOURCE_SCHEMES: Readonly<Record<string, SchemeName>> = dictionary({
  github: 'github',
  gitlab: 'gitlab',
  stripe: 'stripe',
  slack: 'slack',
  linear: 'linear',
  shopify: 'shopify',
  jira: 'jira',
  elevenlabs: 'elevenlabs',
  telegram: 'telegram',
  openai: 'standard',
  clerk: 'standard',
  resend: 'standard',
  svix: 'standard',
})

/** Null for `custom` and every other source. */
export const schemeOfSource = (source: string): SchemeName | null => {
  const name = source.toLowerCase()
  return Object.hasOwn(SOURCE_SCHEMES, name) ? SOURCE_SCHEMES[name]! : null
}
