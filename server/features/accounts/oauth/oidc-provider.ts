import * as openid from 'openid-client'
import type { OAuthClient } from '../../../config/oauth-clients.ts'
import { type ExternalIdentity, type OAuthProvider, TIMEOUT_S } from './oauth-provider.ts'

/** Any issuer of OpenID Connect; Google and Microsoft are two of them. */
export function oidcProvider(client: OAuthClient): OAuthProvider {
  const discover = remember(() => discoverIssuer(client))
  return {
    id: client.provider,
    name: client.name,
    async begin(redirectUri, { state, nonce, verifier }) {
      const config = await discover()
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async finish(returned, { state, nonce, verifier }) {
      const config = await discover()
      const tokens = await openid.authorizationCodeGrant(config, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()!
      const asked = claims.email === undefined && config.serverMetadata().userinfo_endpoint
      const more = asked ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
      return personOf(client, { ...more, ...claims })
    },
  }
}

function discoverIssuer({ url, clientId, clientSecret }: OAuthClient): Promise<openid.Configuration> {
  const isPlain = url.startsWith('http:')
  return openid.discovery(new URL(url), clientId, clientSecret, authenticateWith(clientSecret), {
    timeout: TIMEOUT_S,
    execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
  })
}

/** In the body where the issuer says that it takes it there; in the header otherwise, as the standard has it. */
function authenticateWith(secret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)]
  return (issuer, ...rest) => {
    const takesBody = issuer.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (takesBody ? inBody : inHeader)(issuer, ...rest)
  }
}

/** Asks once; a failure is forgotten, so that the next one asks again. */
function remember<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().catch((error) => {
      asked = undefined
      throw error
    })
    return asked
  }
}

/** The tenant of personal Microsoft accounts, whose addresses Microsoft has confirmed. */
const MICROSOFT_PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad'

type Claims = Record<string, unknown> & { iss: string; sub: string }

function personOf({ provider }: OAuthClient, claims: Claims): ExternalIdentity {
  return {
    subject: `${claims.iss} ${claims.sub}`,
    email: textOf(claims.email),
    emailVerified: isTrue(claims.email_verified) || (provider === 'microsoft' && isConfirmed(claims)),
    name: textOf(claims.name) ?? textOf(claims.preferred_username),
  }
}

/** The administrator of any tenant can write any address into `email`, so by itself it proves nothing. */
const isConfirmed = ({ tid, xms_edov }: Claims) => tid === MICROSOFT_PERSONAL || isTrue(xms_edov)

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'
