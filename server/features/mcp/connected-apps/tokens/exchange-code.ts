import type { PublicContext } from '../../../../context.ts'
import { sha256 } from '../../../../security/digest.ts'
import { disconnect } from '../grants.ts'
import { refusal } from '../oauth-refusal.ts'
import { issueTokens, tokenResponse } from './issue.ts'
import { type CodeRow, lockByCode } from './token-queries.ts'

interface CodeExchange {
  clientId: string
  code: string
  redirectUri: string
  verifier: string
}

/** Per RFC 7636. */
const VERIFIER = /^[\w.~-]{43,128}$/

export async function exchangeCode(ctx: PublicContext, exchange: CodeExchange) {
  const outcome = await ctx.transaction(async (inside) => {
    const row = await lockByCode(inside.sql, sha256(exchange.code))
    if (!row || row.clientId !== exchange.clientId) return 'The code is unknown or belongs to another client'
    if (row.codeUsedAt !== null) {
      // Two parties have the code, and which of them is the client cannot be known. The revocation commits.
      await disconnect(inside, row, { id: row.grantId, why: 'code used twice' })
      return 'The code was used before: the connection has been revoked'
    }
    const end = endOf(row, ctx.now())
    if (end) return end
    const mismatch = mismatchOf(row, exchange)
    if (mismatch) {
      // One attempt per code: whoever has seen the code may not try another verifier. The revocation commits.
      await disconnect(inside, row, { id: row.grantId, why: 'code refused' })
      return `${mismatch}: the code is spent`
    }
    return tokenResponse(await issueTokens(inside, row), row.access, ctx.now())
  })
  if (typeof outcome === 'string') throw refusal('invalid_grant', outcome)
  return outcome
}

function endOf(row: CodeRow, now: Date): string | null {
  const hasPassed = (time: string | null) => time !== null && Date.parse(time) <= now.getTime()
  if (hasPassed(row.codeExpiresAt) || hasPassed(row.expiresAt)) return 'The code has expired'
  return row.revokedAt !== null || row.sessionId === null ? 'The approval has been withdrawn' : null
}

function mismatchOf(row: CodeRow, { redirectUri, verifier }: CodeExchange): string | null {
  if (row.redirectUri !== redirectUri) return 'redirect_uri differs from that of the authorization request'
  const isVerified = VERIFIER.test(verifier) && sha256(verifier).toString('base64url') === row.challenge
  return isVerified ? null : 'code_verifier does not match the challenge of the authorization request'
}
