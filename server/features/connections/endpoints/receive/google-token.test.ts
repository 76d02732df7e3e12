import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '../../../../outbound/outbound.ts'
import { createGoogleTokens } from '../../../../testing/fakes/google-tokens.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { verifyGoogleToken } from './google-token.ts'

const URL_OF_ENDPOINT = 'https://atrium.example/hook'
const EMAIL = 'push@project.iam.gserviceaccount.com'
const NOW = new Date('2026-11-16T12:00:00Z')
const google = createGoogleTokens()
const outbound = createOutbound({ allowed: ['127.0.0.0/8'] })

let server: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  server = await startReceiver((_caught, response) => response.end(JSON.stringify(google.keys)))
})
afterAll(async () => {
  await outbound.close()
  await server.close()
})

const token = (claims: object = {}, options: Parameters<typeof google.token>[1] = {}) =>
  google.token({ now: NOW, aud: URL_OF_ENDPOINT, email: EMAIL, ...claims }, options)

const check = (authorization: string | undefined, email = EMAIL) =>
  verifyGoogleToken(
    outbound,
    {
      url: URL_OF_ENDPOINT,
      headers: authorization === undefined ? {} : { authorization },
      body: Buffer.alloc(0),
    },
    { email, override: server.url, now: NOW },
  )

test('verifyGoogleToken accepts only a Google token for this URL and service account', async () => {
  expect(await check(token())).toBeNull()
  const seconds = NOW.getTime() / 1000
  const refused: [string, string | undefined, string][] = [
    ['missing', undefined, 'missing_signature'],
    ['not a token', 'Bearer abc', 'malformed_signature'],
    ['unsigned', token({}, { alg: 'none' }), 'malformed_signature'],
    ['HMAC with the public key', token({}, { alg: 'HS256' }), 'malformed_signature'],
    ['another key', token({}, { isForged: true }), 'bad_signature'],
    ['an unknown key', token({}, { kid: 'k2' }), 'bad_signature'],
    ['another URL', token({ aud: 'https://atrium.example/other' }), 'bad_signature'],
    ['another service account', token({ email: 'attacker@evil.iam.gserviceaccount.com' }), 'bad_signature'],
    ['an email address that is not verified', token({ email_verified: false }), 'bad_signature'],
    ['another issuer', token({ iss: 'https://evil.example' }), 'bad_signature'],
    ['expired', token({ exp: seconds - 4000 }), 'timestamp_skew'],
    ['from the future', token({ iat: seconds + 4000 }), 'timestamp_skew'],
  ]
  for (const [name, authorization, reason] of refused) expect(await check(authorization), name).toBe(reason)
  expect(await check(token(), '')).toBe('bad_signature')
})

test("verifyGoogleToken requests Google's keys once, for any number of unknown key ids", async () => {
  await check(token())
  const before = server.requests.length
  for (let n = 0; n < 20; n++) await check(token({}, { kid: `unknown-${n}` }))
  expect(server.requests.length).toBeLessThanOrEqual(before + 1)
})
