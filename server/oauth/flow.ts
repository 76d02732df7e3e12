import type { PublicContext } from '../context.ts'
import { consumeToken, issueToken } from '../one-time-tokens/one-time-tokens.ts'
import { sameSecret, sha256 } from '../security/digest.ts'
import { randomToken } from '../security/random.ts'

const FLOW_SECONDS = 600

/** `state` names the authorization, `nonce` binds the ID token, `verifier` is for PKCE. */
export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

interface StoredFlow extends Omit<FlowSecrets, 'state'> {
  provider: string
  /** Hash of the starting browser's secret. */
  browser: string
}

/**
 * A cookie holds the browser secret, so only this browser's callback is accepted. Reusing it lets several tabs
 * authorize at once.
 */
export async function startFlow<D extends object>(
  ctx: Pick<PublicContext, 'sql' | 'now'>,
  provider: string,
  data: D,
  browserSecret = randomToken(32),
): Promise<{ secrets: FlowSecrets; browserSecret: string }> {
  const secrets = { nonce: randomToken(32), verifier: randomToken(32) }
  const stored = { ...data, ...secrets, provider, browser: hashOf(browserSecret) }
  const state = await issueToken(ctx, 'oauth', { seconds: FLOW_SECONDS, data: stored })
  return { secrets: { ...secrets, state }, browserSecret }
}

/** Null if used, expired, or from another browser or provider. */
export async function consumeFlow<D extends object>(
  ctx: Pick<PublicContext, 'sql' | 'now'>,
  callback: { provider: string; state: string; browserSecret: string | null },
): Promise<(FlowSecrets & D) | null> {
  const { provider, state, browserSecret } = callback
  const flow = (await consumeToken<StoredFlow & D>(ctx, 'oauth', state))?.data
  const isSameBrowser = flow && browserSecret && sameSecret(flow.browser, hashOf(browserSecret))
  return isSameBrowser && flow.provider === provider ? { ...flow, state } : null
}

const hashOf = (browserSecret: string) => sha256(browserSecret).toString('base64url')

/** Keeps repeated parameters, which the library refuses. */
export function callbackUrl(redirectUri: string, query: Record<string, unknown>): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each))
  }
  return url
}
