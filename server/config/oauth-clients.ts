import { z } from 'zod'
import { optionalBaseUrl, optionalText } from './fields.ts'

/** This server's registration with an identity provider. */
export interface OAuthClient {
  provider: Provider
  name: string
  /** The issuer, or GitHub's base URL. */
  url: string
  clientId: string
  clientSecret: string
}

type Provider = 'google' | 'microsoft' | 'github' | 'oidc'

const PROVIDERS: { provider: Provider; name: string; url?: string }[] = [
  { provider: 'google', name: 'Google', url: 'https://accounts.google.com' },
  { provider: 'microsoft', name: 'Microsoft', url: 'https://login.microsoftonline.com/common/v2.0' },
  { provider: 'github', name: 'GitHub', url: 'https://github.com' },
  { provider: 'oidc', name: 'Single sign-on' },
]

const credentials = <const P extends string>(prefix: P) =>
  ({
    [`${prefix}_CLIENT_ID`]: optionalText,
    [`${prefix}_CLIENT_SECRET`]: optionalText,
    [`${prefix}_URL`]: optionalBaseUrl,
  }) as {
    [K in `${P}_CLIENT_ID` | `${P}_CLIENT_SECRET`]: typeof optionalText
  } & { [K in `${P}_URL`]: typeof optionalBaseUrl }

export const oauthVariables = {
  ...credentials('ATRIUM_GOOGLE'),
  ...credentials('ATRIUM_MICROSOFT'),
  ...credentials('ATRIUM_GITHUB'),
  ...credentials('ATRIUM_OIDC'),
  ATRIUM_OIDC_NAME: z.string().max(60, 'must be at most 60 characters').optional(),
}

type Variables = { [K in keyof typeof oauthVariables]?: string }

/** For a provider with another variable set. */
export function missingOAuthVariable(env: Variables): string | undefined {
  for (const { provider, url } of PROVIDERS) {
    const required = [variableName(provider, 'CLIENT_ID'), variableName(provider, 'CLIENT_SECRET')]
    if (!url) required.push(variableName(provider, 'URL'))
    const missing = required.filter((name) => !env[name])
    if (missing.length > 0 && missing.length < required.length) return missing[0]
  }
  return undefined
}

export function readOAuthClients(env: Variables): OAuthClient[] {
  return PROVIDERS.flatMap(({ provider, name, url }) => {
    const clientId = env[variableName(provider, 'CLIENT_ID')]
    const clientSecret = env[variableName(provider, 'CLIENT_SECRET')]
    const issuer = env[variableName(provider, 'URL')] ?? url
    if (!clientId || !clientSecret || !issuer) return []
    const displayName = (provider === 'oidc' && env.ATRIUM_OIDC_NAME) || name
    return [{ provider, name: displayName, url: issuer, clientId, clientSecret }]
  })
}

const variableName = (provider: Provider, variable: 'CLIENT_ID' | 'CLIENT_SECRET' | 'URL') =>
  `ATRIUM_${provider.toUpperCase() as Uppercase<Provider>}_${variable}` as const
