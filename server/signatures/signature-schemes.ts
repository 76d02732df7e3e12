import type { SchemeName } from '../../contract/webhooks/signature-schemes.ts'
import type { HmacScheme, PublicKeyScheme, SignatureScheme, TokenScheme } from './scheme.ts'

const FIVE_MINUTES_S = 300
const THIRTY_MINUTES_S = 1800

const STANDARD: HmacScheme = {
  kind: 'hmac',
  name: 'standard',
  header: ['webhook-signature', 'svix-signature'],
  algorithm: 'sha256',
  encoding: 'base64',
  key: 'base64',
  format: { as: 'list', prefix: 'v1,' },
  signs: ['id', { text: '.' }, 'timestamp', { text: '.' }, 'body'],
  id: ['webhook-id', 'svix-id'],
  timestamp: {
    from: { header: ['webhook-timestamp', 'svix-timestamp'] },
    unit: 's',
    toleranceSeconds: FIVE_MINUTES_S,
  },
}

const GITHUB: HmacScheme = {
  kind: 'hmac',
  name: 'github',
  header: ['x-hub-signature-256'],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'one', prefix: 'sha256=' },
  signs: ['body'],
}

const STRIPE: HmacScheme = {
  kind: 'hmac',
  name: 'stripe',
  header: ['stripe-signature'],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'pairs', name: 'v1' },
  signs: ['timestamp', { text: '.' }, 'body'],
  eventIdField: 'id',
  timestamp: { from: { pair: 't' }, unit: 's', toleranceSeconds: FIVE_MINUTES_S },
}

const SLACK: HmacScheme = {
  kind: 'hmac',
  name: 'slack',
  header: ['x-slack-signature'],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'one', prefix: 'v0=' },
  signs: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
  eventIdField: 'event_id',
  timestamp: {
    from: { header: ['x-slack-request-timestamp'] },
    unit: 's',
    toleranceSeconds: FIVE_MINUTES_S,
  },
  handshake: { type: 'url_verification', echo: 'challenge' },
}

/** Linear's `linear-timestamp` header isn't signed. */
const LINEAR: HmacScheme = {
  kind: 'hmac',
  name: 'linear',
  header: ['linear-signature'],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'one', prefix: '' },
  signs: ['body'],
  timestamp: { from: { body: 'webhookTimestamp' }, unit: 'ms', toleranceSeconds: 60 },
}

const SHOPIFY: HmacScheme = {
  kind: 'hmac',
  name: 'shopify',
  header: ['x-shopify-hmac-sha256'],
  algorithm: 'sha256',
  encoding: 'base64',
  key: 'text',
  format: { as: 'one', prefix: '' },
  signs: ['body'],
}

/** GitHub uses the same header with the prefix `sha1=`. */
const JIRA: HmacScheme = {
  kind: 'hmac',
  name: 'jira',
  header: ['x-hub-signature'],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'one', prefix: 'sha256=', selects: true },
  signs: ['body'],
}

const ELEVENLABS: HmacScheme = {
  kind: 'hmac',
  name: 'elevenlabs',
  header: ['elevenlabs-signature'],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'pairs', name: 'v0' },
  signs: ['timestamp', { text: '.' }, 'body'],
  timestamp: { from: { pair: 't' }, unit: 's', toleranceSeconds: THIRTY_MINUTES_S },
}

const GENERIC: HmacScheme = {
  kind: 'hmac',
  name: 'generic',
  header: ['x-webhook-signature'],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'one', prefix: 'sha256=', optional: true },
  signs: ['body'],
}

const token = (header: string, prefix = ''): TokenScheme => ({
  kind: 'token',
  name: 'secret',
  header: [header],
  prefix,
})

const SECRET_TOKENS = [token('x-webhook-secret'), token('x-gitlab-token'), token('authorization', 'Bearer ')]
export const TELEGRAM: TokenScheme = token('x-telegram-bot-api-secret-token')

/** A request with headers from two schemes is refused. */
export const SIGNATURE_SCHEMES: readonly HmacScheme[] = [
  STANDARD,
  GITHUB,
  STRIPE,
  SLACK,
  LINEAR,
  SHOPIFY,
  JIRA,
  ELEVENLABS,
  GENERIC,
]

/** Signatures come first, so a presented secret never replaces one. */
export const WEBHOOK_SCHEMES: Readonly<Record<SchemeName, readonly SignatureScheme[]>> = {
  auto: [...SIGNATURE_SCHEMES, ...SECRET_TOKENS],
  standard: [STANDARD],
  github: [GITHUB],
  gitlab: [STANDARD, token('x-gitlab-token')],
  stripe: [STRIPE],
  slack: [SLACK],
  linear: [LINEAR],
  shopify: [SHOPIFY],
  jira: [JIRA],
  elevenlabs: [ELEVENLABS],
  telegram: [TELEGRAM],
  generic: [GENERIC],
  secret: SECRET_TOKENS,
}

/** An unknown name accepts nothing. */
export const acceptedSchemes = (name: string): readonly SignatureScheme[] =>
  Object.hasOwn(WEBHOOK_SCHEMES, name) ? WEBHOOK_SCHEMES[name as SchemeName] : []

/** The receiver must use the same public URL as Twilio. */
export const TWILIO: HmacScheme = {
  kind: 'hmac',
  name: 'twilio',
  header: ['x-twilio-signature'],
  algorithm: 'sha1',
  encoding: 'base64',
  key: 'text',
  format: { as: 'one', prefix: '' },
  signs: ['url', 'form'],
}

export const DISCORD: PublicKeyScheme = {
  kind: 'ed25519',
  name: 'discord',
  header: ['x-signature-ed25519'],
  encoding: 'hex',
  format: { as: 'one', prefix: '' },
  signs: ['timestamp', 'body'],
  eventIdField: 'id',
  timestamp: {
    from: { header: ['x-signature-timestamp'] },
    unit: 's',
    toleranceSeconds: FIVE_MINUTES_S,
  },
}
