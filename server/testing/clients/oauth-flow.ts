import { Writable } from 'node:stream'
import { randomHex } from '../../security/random.ts'
import { CLIENT, type Claims, startIdentityProvider } from '../fakes/identity-provider.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { type CookieClient, createCookieClient } from './cookie-client.ts'

interface FlowOptions {
  provider?: string
  next?: string
  browser?: CookieClient
  /** Tampers like an attacker between browser and provider. */
  alter?: (url: URL) => void
}

export type OAuthApp = Awaited<ReturnType<typeof buildOAuthApp>>

/** One local OpenID provider serves as Google, Microsoft and a custom issuer. */
export async function buildOAuthApp(env: Record<string, string> = {}) {
  const logged: string[] = []
  const idp = await startIdentityProvider()
  const app = await buildTestApp({
    env: { ...clientsAt(idp.url), ATRIUM_OIDC_NAME: 'Our directory', ...env },
    log: collectInto(logged),
  })
  const startUrl = (provider = 'oidc', next?: string) =>
    `${app.url}/api/v1/auth/oauth/${provider}/start${next ? `?${new URLSearchParams({ next })}` : ''}`
  const callbackUrl = (provider = 'oidc') => `${app.url}/api/v1/auth/oauth/${provider}/callback`
  idp.serve(['oidc', 'google', 'microsoft'].map(callbackUrl))

  async function authorize({
    provider = 'oidc',
    next,
    browser = createCookieClient(),
    alter,
  }: FlowOptions = {}) {
    const authorization = new URL((await browser.visit(startUrl(provider, next))).redirectUrl!)
    alter?.(authorization)
    return { browser, callback: await browser.followTo(callbackUrl(provider), authorization) }
  }

  return {
    app,
    idp,
    logged,
    startUrl,
    callbackUrl,
    authorize,
    async signIn(options: FlowOptions = {}) {
      const { browser, callback } = await authorize(options)
      const { status, location } = await browser.visit(callback)
      return { browser, status, location }
    },
    sessionOf: (browser: CookieClient) => app.as(browser.headersAt(app.url)).accounts.session(),
    member: async (password?: string) => app.person(await app.organization(), { password, verified: true }),
    auditActionsOf: (userId: string) => auditActionsOf(app, userId),
    reasons: (): { provider: string; reason: string }[] =>
      logged.filter((line) => line.includes('OAuth sign-in failed')).map((line) => JSON.parse(line)),
    async close() {
      await app.close()
      await idp.close()
    },
  }
}

export const createClaims = (email: string, overrides: Partial<Claims> = {}): Claims => ({
  sub: randomHex(6),
  email,
  email_verified: true,
  name: 'Ada Lovelace',
  ...overrides,
})

const clientsAt = (url: string) =>
  Object.fromEntries(
    ['OIDC', 'GOOGLE', 'MICROSOFT'].flatMap((provider) => [
      [`ATRIUM_${provider}_URL`, url],
      [`ATRIUM_${provider}_CLIENT_ID`, CLIENT.id],
      [`ATRIUM_${provider}_CLIENT_SECRET`, CLIENT.secret],
    ]),
  )

const collectInto = (lines: string[]) =>
  new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    },
  })

async function auditActionsOf({ sql }: TestApp, userId: string): Promise<string[]> {
  const rows = await sql<{ action: string }[]>`select action from audit where user_id = ${userId} order by id`
  return rows.map(({ action }) => action)
}
