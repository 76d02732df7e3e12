import type { PublicContext } from '../context.ts'
import { consumeToken, issueToken } from '../one-time-tokens/one-time-tokens.ts'
import { sameSecret, sha256 } from '../security/digest.ts'
import { randomToken } from '../security/random.ts'

const FLOW_SECONDS = 600

/** The secrets of one authorization: `state` names it, `nonce` binds the ID token, `verifier` is the PKCE verifier. */
export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

/** Stored until the provider redirects back. */
interface StoredFlow extends Omit<FlowSecrets, 'state'> {
  provider: string
  /** The hash of the secret that only the browser which started the flow has. */
  browser: string
}

/**
 * Starts an authorization, whose end returns `data`. The browser secret is set as a cookie: the callback is accepted
 * from this browser only. A browser that has one keeps it, so that several authorizations can be open in its tabs.
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

/**
 * Consumes the state of a callback. Null if it was used, has expired, was started by another browser or belongs to
 * another provider.
 */
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

/** The callback URL with every parameter that the provider sent, including repeated ones, which the library refuses. */
export function callbackUrl(redirectUri: string, query: Record<string, unknown>): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each))
  }
  return url
}
