import type { HmacAlgorithm } from '../security/hmac.ts'

/** How a sender proves that it knows the secret: by signing what it sends. Described as data, checked by one engine. */
export interface SignatureScheme {
  name: string
  /** Where the signature is; the first of these that was sent decides. */
  header: readonly string[]
  algorithm: HmacAlgorithm
  encoding: 'hex' | 'base64'
  /** The key is the secret as it is, or what its base64 stands for. */
  key: 'text' | 'base64'
  /**
   * How signatures are written in the header: one after a prefix (which may be `optional`), several separated by spaces
   * each after a prefix, or several as `name=value` among pairs, of which another may be the time.
   */
  written:
    | { as: 'one'; prefix: string; optional?: true }
    | { as: 'list'; prefix: string }
    | { as: 'pairs'; name: string }
  /** What is signed, from its pieces. */
  signs: readonly ('id' | 'timestamp' | 'body' | { text: string })[]
  /** Where the id of the message is, if it is part of what is signed. */
  id?: readonly string[]
  /** The field of the body that says which event it is, where that is not said by a header. */
  eventId?: string
  timestamp?: {
    from: { header: readonly string[] } | { pair: string } | { body: string }
    unit: 's' | 'ms'
    toleranceSeconds: number
  }
}

const FIVE_MINUTES_S = 300

export const SIGNATURE_SCHEMES: readonly SignatureScheme[] = [
  {
    name: 'standard',
    header: ['webhook-signature', 'svix-signature'],
    algorithm: 'sha256',
    encoding: 'base64',
    key: 'base64',
    written: { as: 'list', prefix: 'v1,' },
    signs: ['id', { text: '.' }, 'timestamp', { text: '.' }, 'body'],
    id: ['webhook-id', 'svix-id'],
    timestamp: {
      from: { header: ['webhook-timestamp', 'svix-timestamp'] },
      unit: 's',
      toleranceSeconds: FIVE_MINUTES_S,
    },
  },
  {
    name: 'github',
    header: ['x-hub-signature-256'],
    algorithm: 'sha256',
    encoding: 'hex',
    key: 'text',
    written: { as: 'one', prefix: 'sha256=' },
    signs: ['body'],
  },
  {
    name: 'stripe',
    header: ['stripe-signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    key: 'text',
    written: { as: 'pairs', name: 'v1' },
    signs: ['timestamp', { text: '.' }, 'body'],
    eventId: 'id',
    timestamp: { from: { pair: 't' }, unit: 's', toleranceSeconds: FIVE_MINUTES_S },
  },
  {
    name: 'slack',
    header: ['x-slack-signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    key: 'text',
    written: { as: 'one', prefix: 'v0=' },
    signs: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
    eventId: 'event_id',
    timestamp: {
      from: { header: ['x-slack-request-timestamp'] },
      unit: 's',
      toleranceSeconds: FIVE_MINUTES_S,
    },
  },
  {
    name: 'linear',
    header: ['linear-signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    key: 'text',
    written: { as: 'one', prefix: '' },
    signs: ['body'],
    timestamp: { from: { body: 'webhookTimestamp' }, unit: 'ms', toleranceSeconds: 60 },
  },
  {
    name: 'generic',
    header: ['x-webhook-signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    key: 'text',
    written: { as: 'one', prefix: 'sha256=', optional: true },
    signs: ['body'],
  },
]

/** Where a sender may show the secret itself. */
export const SECRET_HEADERS: readonly { header: string; prefix: string }[] = [
  { header: 'x-webhook-secret', prefix: '' },
  { header: 'x-gitlab-token', prefix: '' },
  { header: 'authorization', prefix: 'Bearer ' },
]

/** What senders call an event, and what kind they say it is; the first that was sent decides. */
export const ID_HEADERS = [
  'webhook-id',
  'svix-id',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'linear-delivery',
  'x-atlassian-webhook-identifier',
] as const
export const TYPE_HEADERS = ['x-github-event', 'x-gitlab-event', 'linear-event'] as const
