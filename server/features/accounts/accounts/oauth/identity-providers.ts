import type { OAuthClient } from '../../../../config/oauth-clients.ts'
import { githubProvider } from './github.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { openIdProvider } from './openid-connect.ts'

export const identityProvidersOf = (clients: OAuthClient[]): IdentityProvider[] =>
  clients.map((client) => (client.provider === 'github' ? githubProvider(client) : openIdProvider(client)))
