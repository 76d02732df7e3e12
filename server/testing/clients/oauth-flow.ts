import { Writable } from 'node:stream'
import { randomHex } from '../../security/random.ts'
import { CLIENT, type Claims, startIdentityProvider } from '../fakes/identity-provider.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { createVisitor, type Visitor } from './cookie-client.ts'

interface Journey {
  provider?: string
  next?: string
  visitor?: Visitor
  /** Changes what is asked of the provider, as somebody in between would. */
  alter?: (url: URL) => void
}

export type OAuthWorld = Awaited<ReturnType<typeof buildOAuthWorld>>

/** A server, and a provider on this machine that it knows as Google, as Microsoft and as an issuer of its own. */
export async function buildOAuthWorld(env: Record<string, string> = {}) {
  const logged: string[] = []
  const idp = await startIdentityProvider()
  const app = await buildTestApp({
    env: { ...clientsAt(idp.url), ATRIUM_OIDC_NAME: 'Our directory', ...env },
    log: keepIn(logged),
  })
  const startUrl = (provider = 'oidc', next?: string) =>
    `${app.url}/api/v1/auth/oauth/${provider}/start${next ? `?${new URLSearchParams({ next })}` : ''}`
  const callbackUrl = (provider = 'oidc') => `${app.url}/api/v1/auth/oauth/${provider}/callback`
  idp.serve(['oidc', 'google', 'microsoft'].map(callbackUrl))

  /** To the provider and back, up to the address of the callback, which is not visited yet. */
  async function journey({ provider = 'oidc', next, visitor = createVisitor(), alter }: Journey = {}) {
    const away = new URL((await visitor.visit(startUrl(provider, next))).leadsTo!)
    alter?.(away)
    return { visitor, callback: await visitor.followTo(callbackUrl(provider), away) }
  }

  return {
    app,
    idp,
    logged,
    startUrl,
    callbackUrl,
    journey,
    /** The whole way; where the browser ends up. */
    async signIn(options: Journey = {}) {
      const { visitor, callback } = await journey(options)
      const { status, location } = await visitor.visit(callback)
      return { visitor, status, location }
    },
    sessionOf: (visitor: Visitor) => app.as(visitor.headersAt(app.url)).accounts.session(),
    somebody: async (password?: string) => app.person(await app.organization(), { password }),
    actsOf: (userId: string) => actsOf(app, userId),
    /** What the operator reads of sign-ins that failed. */
    reasons: (): { provider: string; reason: string }[] =>
      logged.filter((line) => line.includes('OAuth sign-in failed')).map((line) => JSON.parse(line)),
    async close() {
      await app.close()
      await idp.close()
    },
  }
}

export const claimsOf = (email: string, more: Partial<Claims> = {}): Claims => ({
  sub: randomHex(6),
  email,
  email_verified: true,
  name: 'Ada Lovelace',
  ...more,
})

const clientsAt = (url: string) =>
  Object.fromEntries(
    ['OIDC', 'GOOGLE', 'MICROSOFT'].flatMap((provider) => [
      [`ATRIUM_${provider}_URL`, url],
      [`ATRIUM_${provider}_CLIENT_ID`, CLIENT.id],
      [`ATRIUM_${provider}_CLIENT_SECRET`, CLIENT.secret],
    ]),
  )

const keepIn = (lines: string[]) =>
  new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    },
  })

async function actsOf({ sql }: TestApp, userId: string): Promise<string[]> {
  const rows = await sql<{ action: string }[]>`select action from audit where user_id = ${userId} order by id`
  return rows.map(({ action }) => action)
}
