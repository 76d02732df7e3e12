import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'

type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
type Client = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>

/** The OAuth state of an app that uses an official SDK, in memory. Works with both generations of the SDK. */
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
    // Digits, which look like a number, and characters that a form encodes.
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
    // The current generation compares with it whether the code comes from the server that it was requested from.
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
    /** The URL that the app opened in the browser. */
    opened: () => openedUrl!.href,
    tokens: () => tokens!,
    /** Makes the access token invalid, so that the client has to refresh. */
    invalidateAccessToken: () => {
      tokens = { ...tokens!, access_token: 'atrium_mcp_expired' }
    },
  }
}
