import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomToken } from '../security/random.ts'
import { createCookieClient } from '../testing/clients/cookie-client.ts'
import { CLIENT, startIdentityProvider } from '../testing/fakes/identity-provider.ts'
import { createOAuthClient, failureReason } from './oauth-client.ts'

const REDIRECT_URI = 'http://127.0.0.1:9/callback'
let idp: Awaited<ReturnType<typeof startIdentityProvider>>
beforeAll(async () => {
  idp = await startIdentityProvider()
  idp.serve([REDIRECT_URI])
  idp.signInAs({ sub: 'ada', email: 'ada@example.com' })
})
afterAll(() => idp.close())

const createClient = (issuer = idp.url) =>
  createOAuthClient({
    server: { protocol: 'openid-connect', issuer },
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scope: 'openid email',
  })

async function authorize(client: ReturnType<typeof createClient>) {
  const secrets = { state: randomToken(32), nonce: randomToken(32), verifier: randomToken(32) }
  const url = await client.authorizationUrl(REDIRECT_URI, secrets)
  const callback = await createCookieClient().followTo(REDIRECT_URI, url)
  return client.exchangeCode(new URL(callback), secrets)
}

test('the client exchanges a code for tokens with verified claims', async () => {
  const tokens = await authorize(createClient())
  expect(tokens).toMatchObject({
    accessToken: expect.any(String),
    refreshToken: expect.any(String),
    expiresInS: expect.any(Number),
    claims: { iss: idp.url, sub: 'ada' },
  })
})

test('the client refreshes the access token and returns the rotated refresh token', async () => {
  const client = createClient()
  const first = await authorize(client)
  const second = await client.refresh(first.refreshToken!)
  expect(second.accessToken).not.toBe(first.accessToken)
  expect(second.refreshToken).not.toBe(first.refreshToken)
  expect(second.expiresInS).toBeGreaterThan(0)
})

test('the client throws on an unknown refresh token, with the error code as the reason', async () => {
  const error = await createClient()
    .refresh('unknown')
    .catch((thrown: unknown) => thrown)
  expect(failureReason(error)).toContain('invalid_grant')
})

test('the client repeats discovery after a failure', async () => {
  const lateIdp = await startIdentityProvider()
  const client = createClient(lateIdp.url)
  const secrets = { state: 'state', nonce: 'nonce', verifier: randomToken(32) }
  await expect(client.authorizationUrl(REDIRECT_URI, secrets)).rejects.toThrow()
  lateIdp.serve([REDIRECT_URI])
  expect((await client.authorizationUrl(REDIRECT_URI, secrets)).origin).toBe(lateIdp.url)
  await lateIdp.close()
})
