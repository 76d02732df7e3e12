import type * as OpenId from 'openid-client'
import type { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import type { FlowSecrets } from './flow.ts'

const TIMEOUT_S = 10

/** Loaded on first use: most servers have no provider. */
const load = () => import('openid-client')

type OAuthServer =
  | { protocol: 'openid-connect'; issuer: string }
  | { protocol: 'oauth2'; issuer: string; authorizationEndpoint: string; tokenEndpoint: string }

/** URLs may be local: only the operator sets them. */
interface OAuthRegistration {
  server: OAuthServer
  clientId: string
  clientSecret: string
  scope: string
}

export type Claims = Record<string, unknown> & { iss: string; sub: string }

export interface OAuthTokens {
  accessToken: string
  refreshToken: string | null
  expiresInS: number | null
  /** Null for plain OAuth 2. */
  claims: Claims | null
}

export type OAuthClient = ReturnType<typeof createOAuthClient>

/** The library checks every response and throws on failure. */
export function createOAuthClient(registration: OAuthRegistration) {
  const { scope } = registration
  const isOpenId = registration.server.protocol === 'openid-connect'
  const configuration = cacheSuccess(() => configure(registration))

  return {
    async authorizationUrl(redirectUri: string, { state, nonce, verifier }: FlowSecrets): Promise<URL> {
      const openid = await load()
      return openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope,
        state,
        ...(isOpenId && { nonce }),
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    async exchangeCode(callback: URL, { state, nonce, verifier }: FlowSecrets): Promise<OAuthTokens> {
      const openid = await load()
      const checks = { expectedState: state, pkceCodeVerifier: verifier }
      return tokensOf(
        await openid.authorizationCodeGrant(
          await configuration(),
          callback,
          isOpenId ? { ...checks, expectedNonce: nonce, idTokenExpected: true } : checks,
        ),
      )
    },

    /** Providers may rotate the refresh token: store the returned one, if any. */
    async refresh(refreshToken: string): Promise<OAuthTokens> {
      const openid = await load()
      return tokensOf(await openid.refreshTokenGrant(await configuration(), refreshToken))
    },

    /** Empty if the provider has no userinfo endpoint. */
    async userInfo(accessToken: string, subject: string): Promise<Record<string, unknown>> {
      const config = await configuration()
      if (!config.serverMetadata().userinfo_endpoint) return {}
      return (await load()).fetchUserInfo(config, accessToken, subject)
    },

    async get(url: string, accessToken: string, headers: Record<string, string> = {}): Promise<Response> {
      const config = await configuration()
      return (await load()).fetchProtectedResource(
        config,
        accessToken,
        new URL(url),
        'GET',
        null,
        new Headers(headers),
      )
    },
  }
}

async function configure({ server, clientId, clientSecret }: OAuthRegistration) {
  const openid = await load()
  const isPlainHttp = server.issuer.startsWith('http:')
  if (server.protocol === 'openid-connect') {
    return openid.discovery(
      new URL(server.issuer),
      clientId,
      clientSecret,
      authenticateWith(openid, clientSecret),
      {
        timeout: TIMEOUT_S,
        execute: [openid.enableNonRepudiationChecks, ...(isPlainHttp ? [openid.allowInsecureRequests] : [])],
      },
    )
  }
  const metadata = {
    issuer: server.issuer,
    authorization_endpoint: server.authorizationEndpoint,
    token_endpoint: server.tokenEndpoint,
  }
  const config = new openid.Configuration(metadata, clientId, clientSecret)
  config.timeout = TIMEOUT_S
  if (isPlainHttp) openid.allowInsecureRequests(config)
  return config
}

/** In the body if the issuer lists that, otherwise in the header, the standard's default. */
function authenticateWith(openid: typeof OpenId, secret: string): OpenId.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)]
  return (issuer, ...args) => {
    const acceptsBody = issuer.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (acceptsBody ? inBody : inHeader)(issuer, ...args)
  }
}

/** Doesn't cache a failed discovery, so the next sign-in retries. */
function cacheSuccess<T>(load: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return () => {
    cached ??= load().catch((error) => {
      cached = undefined
      throw error
    })
    return cached
  }
}

type TokenResponse = Awaited<ReturnType<typeof OpenId.refreshTokenGrant>>

const tokensOf = (response: TokenResponse): OAuthTokens => ({
  accessToken: response.access_token,
  refreshToken: response.refresh_token ?? null,
  expiresInS: response.expiresIn() ?? null,
  claims: (response.claims() as Claims | undefined) ?? null,
})

/** Comparing classes would load the library in every process. */
const REDIRECT = 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'
const BODY = 'OAUTH_RESPONSE_BODY_ERROR'

export const isAccessDenied = (error: unknown) =>
  isErrorResponse(error) && error.code === REDIRECT && error.error === 'access_denied'

/** For the operator's log. Omits causes, which can contain tokens. */
export function failureReason(error: unknown): string {
  const { message, cause } = error as Error
  const detail = isErrorResponse(error) ? error.error : cause instanceof Error ? cause.message : undefined
  return detail ? `${message}: ${detail}` : message
}

function isErrorResponse(error: unknown): error is AuthorizationResponseError | ResponseBodyError {
  const { code } = error as { code?: unknown }
  return code === REDIRECT || code === BODY
}
