import { valueAt } from '../../connectors/connectors.ts'
import type { Secrets } from '../target.ts'
import type { OAuth } from './provider.ts'

/** Read at the definition's paths. */
export interface IssuedTokens {
  accessToken: string
  /** Null: the previous one stays valid. */
  refreshToken: string | null
  expiresInS: number | null
  scopes: string[] | null
  kept: Record<string, string>
}

const TOKEN_MAX = 16_384

/** Returns null without an access token. */
export function readTokens({ answer: paths = {}, lifetime }: OAuth, answer: unknown): IssuedTokens | null {
  const textAt = (path: string): string | null => {
    const value = valueAt(answer, path)
    return typeof value === 'string' && value !== '' && value.length <= TOKEN_MAX ? value : null
  }
  const accessToken = textAt(paths.accessToken ?? 'access_token')
  if (accessToken === null) return null
  const kept = Object.entries(paths.keep ?? {}).flatMap(([name, path]) => {
    const value = valueAt(answer, path)
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  const expiresIn = Number(valueAt(answer, paths.expiresIn ?? 'expires_in'))
  return {
    accessToken,
    refreshToken: lifetime.refresh === 'none' ? null : textAt(paths.refreshToken ?? 'refresh_token'),
    expiresInS: Number.isFinite(expiresIn) && expiresIn > 0 ? expiresIn : lifetime.access,
    scopes: scopesOf(valueAt(answer, paths.scope ?? 'scope')),
    kept: Object.fromEntries(kept),
  }
}

function scopesOf(value: unknown): string[] | null {
  if (Array.isArray(value)) return value.filter((scope) => typeof scope === 'string')
  return typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : null
}

/** Granted without being listed. */
const UNLISTED = ['offline_access', 'openid', 'profile', 'email', 'refresh_token']

/** Without a list, all are granted (RFC 6749, section 5.1). */
export function compareScopes(requested: readonly string[], granted: readonly string[] | null) {
  if (granted === null) return { scopes: [...requested], missingScopes: [] }
  const missingScopes = requested.filter((scope) => !granted.includes(scope) && !UNLISTED.includes(scope))
  return { scopes: [...granted], missingScopes }
}

export const toTokenSecrets = (issued: IssuedTokens, refreshToken: string | null = null): Secrets => ({
  credentials: { accessToken: issued.accessToken },
  refreshToken: issued.refreshToken ?? refreshToken,
})

const LEAD_MS = 15 * 60_000
const DAY_MS = 86_400_000

/**
 * 15 minutes before expiry, or halfway for short lifetimes, and at least daily. Tokens that can't be refreshed are due
 * at expiry, to report it.
 */
export function tokenTimes(now: Date, expiresInS: number | null, canRefresh: boolean) {
  const lifetimeMs = expiresInS === null ? null : expiresInS * 1000
  const after = (ms: number) => new Date(now.getTime() + ms)
  const expiresAt = lifetimeMs === null ? null : after(lifetimeMs)
  if (!canRefresh) return { expiresAt, refreshDueAt: expiresAt }
  const dueMs = lifetimeMs === null ? DAY_MS : lifetimeMs - Math.min(LEAD_MS, lifetimeMs / 2)
  return { expiresAt, refreshDueAt: after(Math.min(dueMs, DAY_MS)) }
}
