import type { PublicContext } from '../../../context.ts'
import { sha256 } from '../../../security/digest.ts'
import { randomToken } from '../../../security/random.ts'
import { consumeToken, updateToken } from './relay-queries.ts'

const PURPOSE = 'telephony relay'
const VALID_MS = 5 * 60_000

type TokenContext = Pick<PublicContext, 'sql' | 'vault' | 'now'>

/**
 * A token for one connection to the conversation of a call, and the language that it has switched to. It replaces an earlier
 * token that was not used.
 */
export async function issueToken({ sql, vault, now }: TokenContext, orgId: string, callId: string) {
  const nonce = randomToken(24)
  const token = `${nonce}.${vault.sign(PURPOSE, `${callId} ${nonce}`)}`
  const until = new Date(now().getTime() + VALID_MS)
  const relay = await updateToken(sql, orgId, callId, hashOf(token), until)
  return { token, language: relay?.language }
}

/** Whether this server issued the token for this call, without reading anything. */
export function isTokenOf({ vault }: Pick<TokenContext, 'vault'>, callId: string, token: string): boolean {
  const [nonce, signature, ...rest] = token.split('.')
  if (!nonce || !signature || rest.length > 0) return false
  return vault.verify(PURPOSE, `${callId} ${nonce}`, signature)
}

/** The number of the connection; null if the token was used, replaced or has expired, or if the call has ended. */
export const useToken = ({ sql, now }: TokenContext, orgId: string, callId: string, token: string) =>
  consumeToken(sql, orgId, callId, hashOf(token), now())

const hashOf = (token: string) => sha256(token).toString('hex')
