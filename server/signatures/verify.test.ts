import { sign as signAsGitHub } from '@octokit/webhooks-methods'
import { Webhook as Standard } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../security/digest.ts'
import { hmac } from '../security/hmac.ts'
import { signAsStripe } from '../testing/fakes/sender-signatures.ts'
import { signatureHeaders } from './sign.ts'
import { WEBHOOK_SCHEMES } from './signature-schemes.ts'
import type { Headers } from './signed-request.ts'
import { verify } from './verify.ts'

const URL = 'https://atrium.example/api/v1/webhooks/receive/1'
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const NOW = new Date('2026-11-15T12:00:00Z')
const BODY = '{"type":"order.paid","id":"evt_1"}'
const seconds = String(NOW.getTime() / 1000)

const secretOf = (text: string) => ({ text, hash: sha256(text) })
const check = (headers: Headers, { body = BODY, secrets = [SECRET], now = NOW } = {}) =>
  verify(WEBHOOK_SCHEMES.auto, { url: URL, headers, body: Buffer.from(body) }, secrets.map(secretOf), now)
const hex = (secret: string, text: string) => hmac('sha256', Buffer.from(secret), [text]).toString('hex')

/** One request per scheme, signed by the library of the sender where there is one. */
const SIGNERS: Record<string, () => Promise<Headers> | Headers> = {
  'standard, signed by standardwebhooks': () => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': seconds,
    'webhook-signature': new Standard(SECRET).sign('msg_1', NOW, BODY),
  }),
  svix: () => ({
    'svix-id': 'msg_1',
    'svix-timestamp': seconds,
    'svix-signature': new Standard(SECRET).sign('msg_1', NOW, BODY),
  }),
  'github, signed by @octokit/webhooks-methods': async () => ({
    'x-hub-signature-256': await signAsGitHub(SECRET, BODY),
  }),
  stripe: () => ({
    'stripe-signature': signAsStripe({
      payload: BODY,
      secret: SECRET,
      timestamp: Number(seconds),
    }),
  }),
  slack: () => ({
    'x-slack-request-timestamp': seconds,
    'x-slack-signature': `v0=${hex(SECRET, `v0:${seconds}:${BODY}`)}`,
  }),
  generic: () => ({ 'x-webhook-signature': hex(SECRET, BODY) }),
  'generic, with a prefix': () => ({ 'x-webhook-signature': `sha256=${hex(SECRET, BODY)}` }),
  'the secret in x-webhook-secret': () => ({ 'x-webhook-secret': SECRET }),
  'the secret in x-gitlab-token': () => ({ 'x-gitlab-token': SECRET }),
  'the secret as a bearer token': () => ({ authorization: `Bearer ${SECRET}` }),
}

describe.each(Object.entries(SIGNERS))('verify: %s', (name, sign) => {
  test('accepts a signed request', async () => {
    expect(check(await sign())).toMatchObject({ valid: true, reason: null })
  })

  test('accepts the previous secret during the grace period', async () => {
    expect(check(await sign(), { secrets: [OTHER_SECRET, SECRET] }).valid).toBe(true)
  })

  test('refuses a request signed with another secret', async () => {
    expect(check(await sign(), { secrets: [OTHER_SECRET] })).toMatchObject({
      valid: false,
      reason: 'bad_signature',
    })
  })

  test.skipIf(name.startsWith('the secret'))('refuses a changed body', async () => {
    expect(check(await sign(), { body: `${BODY} ` })).toMatchObject({
      valid: false,
      reason: 'bad_signature',
    })
  })

  test('refuses a signature that is truncated, extended, empty or malformed', async () => {
    for (const [header, value] of Object.entries(await sign())) {
      if (header.endsWith('id') || header.endsWith('timestamp')) continue
      for (const malformed of [
        value.slice(0, -2),
        `${value}ab`,
        '',
        'sha256=',
        'v1,',
        '💥',
        value.replace(/.{4}$/, '0000'),
      ]) {
        expect(check({ ...(await sign()), [header]: malformed }).valid, `${header}: ${malformed}`).toBe(false)
      }
    }
  })
})

describe('verify: timestamps', () => {
  const shifted = (by: number) => new Date(NOW.getTime() + by * 1000)
  const timed = ['standard, signed by standardwebhooks', 'svix', 'stripe', 'slack']
  test.each(timed)('accepts %s within 300 seconds before and after the timestamp', async (name) => {
    const headers = await SIGNERS[name]!()
    expect(check(headers, { now: shifted(300) }).valid).toBe(true)
    expect(check(headers, { now: shifted(-300) }).valid).toBe(true)
    for (const by of [301, -301]) {
      const verdict = check(headers, { now: shifted(by) })
      expect(verdict).toMatchObject({ valid: false, reason: 'timestamp_skew', timestampSkewSeconds: by })
    }
  })

  test("accepts linear within 60 seconds around the body's timestamp", () => {
    const body = JSON.stringify({ webhookTimestamp: NOW.getTime() })
    const headers = { 'linear-signature': hex(SECRET, body) }
    expect(check(headers, { body, now: shifted(60) }).valid).toBe(true)
    expect(check(headers, { body, now: shifted(61) }).reason).toBe('timestamp_skew')
    const untimed = '{}'
    expect(check({ 'linear-signature': hex(SECRET, untimed) }, { body: untimed }).valid).toBe(false)
  })

  test('refuses a malformed timestamp', () => {
    for (const timestamp of ['', 'soon', '1e9', '-1', '99999999999999999999']) {
      const headers = { ...signatureHeaders({ id: 'a', body: BODY, secrets: [SECRET], now: NOW }) }
      expect(check({ ...headers, 'webhook-timestamp': timestamp }).valid, timestamp).toBe(false)
    }
  })
})

test('verify refuses a request without a signature', () => {
  expect(check({})).toEqual({
    valid: false,
    scheme: null,
    reason: 'missing_signature',
    timestampSkewSeconds: null,
    secret: null,
  })
})

test('verify refuses a wrong signature even if the secret is presented too', () => {
  expect(check({ 'x-webhook-signature': '00', 'x-webhook-secret': SECRET }).valid).toBe(false)
})

test('verify and sign agree with the published vectors', () => {
  const at = new Date(1_614_265_330_000)
  const body = '{"test": 2432232314}'
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  expect(check(headers, { body, now: at }).valid).toBe(true)
  expect(signatureHeaders({ id: headers['webhook-id'], body, secrets: [SECRET], now: at })).toEqual(headers)
  const github = {
    'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  }
  expect(check(github, { body: 'Hello, World!', secrets: ["It's a Secret to Everybody"] }).valid).toBe(true)
})

test('sign makes signatures that standardwebhooks accepts, with either secret in a grace period', () => {
  const now = new Date()
  const headers = signatureHeaders({ id: 'msg_2', body: BODY, secrets: [OTHER_SECRET, SECRET], now })
  for (const secret of [SECRET, OTHER_SECRET]) {
    expect(new Standard(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  }
  expect(() => new Standard('whsec_AAAA').verify(BODY, headers)).toThrow()
})
