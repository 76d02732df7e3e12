import { basicAuthorization, buildTokenMessage } from '../../../../oauth/token-request.ts'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Secrets } from '../target.ts'
import type { OAuthProvider } from './provider.ts'

const LIMITS = { timeoutMs: 20_000, bytesMax: 65_536 }

/** False means try again. An unknown token is already revoked. */
export async function revokeAtProvider(
  outbound: Outbound,
  provider: OAuthProvider,
  { credentials, refreshToken }: Secrets,
): Promise<boolean> {
  const { revoke } = provider.auth
  const accessToken = credentials.accessToken
  if (!revoke || !accessToken) return true
  const { client, urlOf } = provider
  const token =
    revoke.how === 'bearer' || revoke.how === 'delete' ? accessToken : (refreshToken ?? accessToken)
  const fields = { [revoke.field ?? (revoke.how === 'delete' ? 'access_token' : 'token')]: token }
  const outcome = await outbound.request({
    method: revoke.how === 'delete' ? 'DELETE' : 'POST',
    url: urlOf(revoke.url),
    ...revocationRequestOf(revoke.how, client, fields, accessToken),
    ...LIMITS,
  })
  if (outcome.kind === 'failure') return false
  const { status } = outcome.response
  return status < 500 && status !== 429
}

type RevocationMethod = NonNullable<OAuthProvider['auth']['revoke']>['how']

function revocationRequestOf(
  method: RevocationMethod,
  client: OAuthProvider['client'],
  fields: Record<string, string>,
  token: string,
) {
  if (method === 'bearer')
    return { headers: { accept: 'application/json', authorization: `Bearer ${token}` } }
  if (method === 'delete' || method === 'json')
    return {
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: basicAuthorization(client),
      },
      body: JSON.stringify(fields),
    }
  return buildTokenMessage(
    { client, clientAuth: method === 'basic-form' ? 'basic' : 'post', body: 'form' },
    fields,
  )
}
