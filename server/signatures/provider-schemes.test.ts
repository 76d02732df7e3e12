import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '../security/digest.ts'
import { hmac } from '../security/hmac.ts'
import {
  AIRTABLE,
  ASANA,
  ATLASSIAN_JWT,
  DROPBOX,
  GOOGLE_CHANNEL,
  HUBSPOT,
  INTERCOM,
  NOTION,
  PAGERDUTY,
  SENDGRID,
  SENTRY,
  TRELLO,
  ZENDESK,
} from './provider-schemes.ts'
import type { SignatureScheme } from './scheme.ts'
import { verify } from './verify.ts'

const NOW = new Date(1_614_265_330_000)
const BODY = '{"id":1,"text":"héllo"}'
const URL = 'https://example.com/hook'
const SECRET = 'a secret'
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

const tag = (algorithm: 'sha256' | 'sha1', key: string | Buffer, text: string) =>
  hmac(algorithm, Buffer.from(key), [text])

interface Case {
  scheme: SignatureScheme
  secret?: string
  headers: Record<string, string>
  /** The header with the timestamp, and a value that is too old. */
  stale?: [header: string, old: string]
}

const ISO = '2021-02-25T15:02:10Z'
const CASES: Record<string, Case> = {
  /** The test vector of `@hubspot/api-client`. */
  hubspot: {
    scheme: HUBSPOT,
    secret: 'secret',
    headers: {
      'x-hubspot-signature-v3': 'yVMpBEarcdDQNyArMCzd90/LUEmhksjucKzSKrM8C9g=',
      'x-hubspot-request-timestamp': '1614265330000',
    },
    stale: ['x-hubspot-request-timestamp', '1614265000000'],
  },
  zendesk: {
    scheme: ZENDESK,
    headers: {
      'x-zendesk-webhook-signature': tag('sha256', SECRET, ISO + BODY).toString('base64'),
      'x-zendesk-webhook-signature-timestamp': ISO,
    },
    stale: ['x-zendesk-webhook-signature-timestamp', '2021-02-25T14:02:10Z'],
  },
  'pagerduty, by the second of two signatures': {
    scheme: PAGERDUTY,
    headers: {
      'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${tag('sha256', SECRET, BODY).toString('hex')}`,
    },
  },
  intercom: {
    scheme: INTERCOM,
    headers: { 'x-hub-signature': `sha1=${tag('sha1', SECRET, BODY).toString('hex')}` },
  },
  notion: {
    scheme: NOTION,
    headers: { 'x-notion-signature': `sha256=${tag('sha256', SECRET, BODY).toString('hex')}` },
  },
  dropbox: {
    scheme: DROPBOX,
    headers: { 'x-dropbox-signature': tag('sha256', SECRET, BODY).toString('hex') },
  },
  'airtable, with the bytes of the secret': {
    scheme: AIRTABLE,
    secret: Buffer.from(SECRET).toString('base64'),
    headers: { 'x-airtable-content-mac': `hmac-sha256=${tag('sha256', SECRET, BODY).toString('hex')}` },
  },
  sentry: {
    scheme: SENTRY,
    headers: { 'sentry-hook-signature': tag('sha256', SECRET, BODY).toString('hex') },
  },
  sendgrid: {
    scheme: SENDGRID,
    secret: publicKey,
    headers: {
      'x-twilio-email-event-webhook-signature': sign(
        'sha256',
        Buffer.from(`1614265330${BODY}`),
        pair.privateKey,
      ).toString('base64'),
      'x-twilio-email-event-webhook-timestamp': '1614265330',
    },
    stale: ['x-twilio-email-event-webhook-timestamp', '1614265000'],
  },
  asana: { scheme: ASANA, headers: { 'x-hook-signature': tag('sha256', SECRET, BODY).toString('hex') } },
  'trello, with the URL after the body': {
    scheme: TRELLO,
    headers: { 'x-trello-webhook': tag('sha1', SECRET, BODY + URL).toString('base64') },
  },
  'google, which signs nothing': { scheme: GOOGLE_CHANNEL, headers: { 'x-goog-channel-token': SECRET } },
}

test.each(Object.entries(CASES))('verify accepts %s and refuses every altered request', (_, each) => {
  const { scheme, headers, stale } = each
  const check = (change: {
    headers?: Record<string, string>
    body?: string
    secret?: string
    now?: Date
  }) => {
    const secret = change.secret ?? each.secret ?? SECRET
    return verify(
      [scheme],
      { url: URL, headers: change.headers ?? headers, body: Buffer.from(change.body ?? BODY) },
      [{ text: secret, hash: sha256(secret) }],
      change.now ?? NOW,
    )
  }
  expect(check({})).toMatchObject({ valid: true, scheme, reason: null })
  expect(check({ headers: {} }).reason).toBe('missing_signature')
  for (const secret of ['another', 'AAAA', '=', '']) expect(check({ secret }).valid, secret).toBe(false)
  if (scheme.kind === 'token') return
  expect(check({ body: `${BODY} ` }).reason).toBe('bad_signature')
  const name = scheme.header[0]!
  for (const value of [headers[name]!.slice(0, -4), `${headers[name]}AA`, 'sha256=', 'v1=', '=']) {
    expect(check({ headers: { ...headers, [name]: value } }).valid, value).toBe(false)
  }
  if (!stale) return
  const [header, old] = stale
  expect(check({ headers: { ...headers, [header]: old } }).reason).toBe('bad_signature')
  expect(check({ now: new Date(NOW.getTime() + 301_000) }).reason).toBe('timestamp_skew')
  for (const value of ['', 'now', '-1', '2021-02-25', '99999999999999999999']) {
    expect(check({ headers: { ...headers, [header]: value } }).valid, value).toBe(false)
  }
})

test('verify refuses a signature with another curve or key', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const message = Buffer.from(`1614265330${BODY}`)
  const headers = {
    'x-twilio-email-event-webhook-signature': sign('sha256', message, other.privateKey).toString('base64'),
    'x-twilio-email-event-webhook-timestamp': '1614265330',
  }
  for (const text of [
    publicKey,
    other.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  ]) {
    const request = { url: URL, headers, body: Buffer.from(BODY) }
    expect(verify([SENDGRID], request, [{ text, hash: sha256(text) }], NOW).valid).toBe(false)
  }
})

test('verify accepts a JWT signed with the secret until it expires, and refuses other algorithms', () => {
  const seconds = NOW.getTime() / 1000
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const check = (claims: unknown, { alg = 'HS256', secret = SECRET } = {}) => {
    const signed = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
    const token = `${signed}.${tag('sha256', secret, signed).toString('base64url')}`
    const request = { url: URL, headers: { authorization: `Bearer ${token}` }, body: Buffer.from(BODY) }
    return verify([ATLASSIAN_JWT], request, [{ text: SECRET, hash: sha256(SECRET) }], NOW).valid
  }
  const claims = { iss: 'client', iat: seconds - 10, exp: seconds + 180 }
  expect(check(claims)).toBe(true)
  expect(check(claims, { secret: 'another' })).toBe(false)
  expect(check(claims, { alg: 'none' })).toBe(false)
  expect(check({ ...claims, exp: seconds - 61 })).toBe(false)
  expect(check({ ...claims, iat: seconds + 61 })).toBe(false)
  for (const malformed of [{ iat: seconds }, { exp: String(seconds + 9) }, null, 'claims', []]) {
    expect(check(malformed), JSON.stringify(malformed)).toBe(false)
  }
  for (const authorization of [`Bearer ${SECRET}`, 'Bearer a.b.c', 'Bearer ..', 'Basic YTpi']) {
    const request = { url: URL, headers: { authorization }, body: Buffer.from(BODY) }
    expect(verify([ATLASSIAN_JWT], request, [{ text: SECRET, hash: sha256(SECRET) }], NOW).valid).toBe(false)
  }
})
