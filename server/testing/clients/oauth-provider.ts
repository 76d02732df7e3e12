import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'

type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
type Client = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>

/** In memory. Works with both SDK generations. */
export function createOAuthProvider(redirectUrl: string, clientName: string) {
  let client: Client
  let tokens: Tokens
  let verifier = ''
  let discovery: Discovery
  let openedUrl: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    // Digits that look like a number, and characters a form encodes.
    state: () => '00123456789012345678901 & more',
    clientInformation: () => client,
    saveClientInformation: (saved) => {
      client = saved
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved
    },
    redirectToAuthorization: (url) => {
      openedUrl = url
    },
    saveCodeVerifier: (saved) => {
      verifier = saved
    },
    codeVerifier: () => verifier,
    // The current generation checks that the code comes from the server it was requested from.
    discoveryState: () => discovery,
    saveDiscoveryState: (saved) => {
      discovery = saved
    },
    invalidateCredentials: () => {
      tokens = undefined
    },
  }
  return {
    provider,
    opened: () => openedUrl!.href,
    tokens: () => tokens!,
    /** Forces a refresh. */
    invalidateAccessToken: () => {
      tokens = { ...tokens!, access_token: 'atrium_mcp_expired' }
    },
  }
}
