import { z } from 'zod'

/** The registration of this server with a provider that people may sign in through. */
export interface OAuthClient {
  provider: Provider
  name: string
  /** The issuer, or for GitHub the address of the site; may be a local one, since only the operator sets it. */
  url: string
  clientId: string
  clientSecret: string
}

type Provider = 'google' | 'microsoft' | 'github' | 'oidc'

const KNOWN: { provider: Provider; name: string; url?: string }[] = [
  { provider: 'google', name: 'Google', url: 'https://accounts.google.com' },
  { provider: 'microsoft', name: 'Microsoft', url: 'https://login.microsoftonline.com/common/v2.0' },
  { provider: 'github', name: 'GitHub', url: 'https://github.com' },
  { provider: 'oidc', name: 'Single sign-on' },
]

const text = z.string().optional()
const address = z
  .string()
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
    error: 'must be an address that begins with https:// or http://',
    abort: true,
  })
  .transform((value) => value.replace(/\/+$/, ''))
  .optional()

const credentials = <const P extends string>(prefix: P) =>
  ({
    [`${prefix}_CLIENT_ID`]: text,
    [`${prefix}_CLIENT_SECRET`]: text,
    [`${prefix}_URL`]: address,
  }) as {
    [K in `${P}_CLIENT_ID` | `${P}_CLIENT_SECRET`]: typeof text
  } & { [K in `${P}_URL`]: typeof address }

/** The variables, for the one schema of the environment. */
export const oauthVariables = {
  ...credentials('ATRIUM_GOOGLE'),
  ...credentials('ATRIUM_MICROSOFT'),
  ...credentials('ATRIUM_GITHUB'),
  ...credentials('ATRIUM_OIDC'),
  ATRIUM_OIDC_NAME: z.string().max(60, 'must be at most 60 characters').optional(),
}

type Variables = { [K in keyof typeof oauthVariables]?: string }

/** The first variable that is missing although another one of the same provider is set. */
export function missingOAuthVariable(env: Variables): string | undefined {
  for (const { provider, url } of KNOWN) {
    const needed = [nameOf(provider, 'CLIENT_ID'), nameOf(provider, 'CLIENT_SECRET')]
    if (!url) needed.push(nameOf(provider, 'URL'))
    const missing = needed.filter((name) => !env[name])
    if (missing.length > 0 && missing.length < needed.length) return missing[0]
  }
  return undefined
}

export function oauthClientsOf(env: Variables): OAuthClient[] {
  return KNOWN.flatMap(({ provider, name, url }) => {
    const clientId = env[nameOf(provider, 'CLIENT_ID')]
    const clientSecret = env[nameOf(provider, 'CLIENT_SECRET')]
    const issuer = env[nameOf(provider, 'URL')] ?? url
    if (!clientId || !clientSecret || !issuer) return []
    const title = (provider === 'oidc' && env.ATRIUM_OIDC_NAME) || name
    return [{ provider, name: title, url: issuer, clientId, clientSecret }]
  })
}

const nameOf = (provider: Provider, variable: 'CLIENT_ID' | 'CLIENT_SECRET' | 'URL') =>
  `ATRIUM_${provider.toUpperCase() as Uppercase<Provider>}_${variable}` as const
