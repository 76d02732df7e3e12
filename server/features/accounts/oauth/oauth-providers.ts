import type { OAuthClient } from '../../../config/oauth-clients.ts'
import { githubProvider } from './github-provider.ts'
import type { OAuthProvider } from './oauth-provider.ts'
import { oidcProvider } from './oidc-provider.ts'

export const oauthProvidersOf = (clients: OAuthClient[]): OAuthProvider[] =>
  clients.map((client) => (client.provider === 'github' ? githubProvider(client) : oidcProvider(client)))
