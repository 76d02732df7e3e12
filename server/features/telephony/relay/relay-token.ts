import type { PublicContext } from '../../../context.ts'
import { sha256 } from '../../../security/digest.ts'
import { randomToken } from '../../../security/random.ts'
import type { RelayState } from '../calls/call.ts'
import { consumeToken, updateToken } from './relay-queries.ts'

const PURPOSE = 'telephony relay'
const VALID_MS = 5 * 60_000

type TokenContext = Pick<PublicContext<'vault'>, 'sql' | 'vault' | 'now'>

export interface RelayToken {
  token: string
  stored: Required<Pick<RelayState, 'tokenHash' | 'tokenUntil'>>
}

export function newToken(
  { vault, now }: Omit<TokenContext, 'sql'>,
  callId: string,
  validMs = VALID_MS,
): RelayToken {
  const nonce = randomToken(24)
  const token = `${nonce}.${vault.sign(PURPOSE, `${callId} ${nonce}`)}`
  const tokenUntil = new Date(now().getTime() + validMs).toISOString()
  return { token, stored: { tokenHash: hashOf(token), tokenUntil } }
}

/** Replaces an earlier unused token. Also returns the conversation's language. */
export async function issueToken(ctx: TokenContext, orgId: string, callId: string) {
  const { token, stored } = newToken(ctx, callId)
  const relay = await updateToken(ctx.sql, orgId, callId, stored)
  return { token, language: relay?.language }
}

/** Reads nothing. */
export function isCallToken({ vault }: Pick<TokenContext, 'vault'>, callId: string, token: string): boolean {
  const [nonce, signature, ...rest] = token.split('.')
  if (!nonce || !signature || rest.length > 0) return false
  return vault.verify(PURPOSE, `${callId} ${nonce}`, signature)
}

/** Null if the token was used, replaced or expired, or the call has ended. */
export const consumeRelayToken = ({ sql, now }: TokenContext, orgId: string, callId: string, token: string) =>
  consumeToken(sql, orgId, callId, hashOf(token), now())

const hashOf = (token: string) => sha256(token).toString('hex')
