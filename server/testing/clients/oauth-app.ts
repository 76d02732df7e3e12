import { sha256 } from '../../security/digest.ts'
import { randomToken } from '../../security/random.ts'
import type { Person } from '../factories/factories.ts'
import type { TestApp } from '../test-app.ts'

/** Connects like an external program: forms and JSON over HTTP. */

export const REDIRECT_URI = 'http://127.0.0.1:33418/callback'

export interface RegisteredApp {
  client_id: string
  client_secret?: string
}

export async function registerApp(
  app: TestApp,
  fields: Record<string, unknown> = {},
): Promise<RegisteredApp> {
  // A test's apps share one IP address with limited registrations.
  await app.sql`delete from rate_limits`
  const { status, body } = await app.request('POST', '/register', {
    body: {
      client_name: 'Test app',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      ...fields,
    },
  })
  if (status !== 201) throw new Error(`/register answered ${status} ${JSON.stringify(body)}`)
  return body
}

export const newVerifier = () => randomToken(32)

export const toChallenge = (verifier: string) => sha256(verifier).toString('base64url')

/** Null removes a parameter. */
export function authorizeQuery(
  { client_id }: RegisteredApp,
  verifier: string,
  overrides: Record<string, string | null> = {},
): string {
  const parameters = {
    response_type: 'code',
    client_id,
    redirect_uri: REDIRECT_URI,
    code_challenge: toChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'a state',
    ...overrides,
  }
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return new URLSearchParams(entries).toString()
}

export function postForm(
  app: TestApp,
  path: '/token' | '/revoke',
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
) {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return app.request('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(entries).toString(),
  })
}

interface ConnectOptions {
  access?: 'read' | 'write'
  days?: 1 | 7 | 30 | 90 | 365 | null
  organizationId?: string
}

export async function approve(
  app: TestApp,
  person: Person,
  client: RegisteredApp,
  options: ConnectOptions = {},
) {
  const verifier = newVerifier()
  const browser = await app.withSession(person)
  const request = authorizeQuery(client, verifier)
  const { redirect } = await browser.connectedApps.connect({ request, ...options })
  return { code: new URL(redirect).searchParams.get('code')!, verifier, redirect }
}

export const exchange = (
  app: TestApp,
  client: RegisteredApp,
  { code, verifier }: { code: string; verifier: string },
  overrides: Record<string, string | undefined> = {},
) =>
  postForm(app, '/token', {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    client_secret: client.client_secret,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
    ...overrides,
  })

export const refresh = (
  app: TestApp,
  client: RegisteredApp,
  token: string,
  overrides: Record<string, string> = {},
) =>
  postForm(app, '/token', {
    grant_type: 'refresh_token',
    client_id: client.client_id,
    client_secret: client.client_secret,
    refresh_token: token,
    ...overrides,
  })

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  expires_in: number
}

export async function connectApp(app: TestApp, person: Person, options: ConnectOptions = {}) {
  const client = await registerApp(app)
  const approval = await approve(app, person, client, options)
  const { body } = await exchange(app, client, approval)
  return { client, approval, tokens: body as Tokens }
}
