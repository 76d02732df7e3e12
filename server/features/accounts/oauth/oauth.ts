import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import type { Logger } from 'pino'
import type { oauth } from '../../../../contract/accounts/oauth.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Config } from '../../../config/config.ts'
import type { PublicContext } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, notFound, raise } from '../../../errors.ts'
import { sameSecret, sha256 } from '../../../security/digest.ts'
import { randomToken } from '../../../security/random.ts'
import { consumeToken, issueToken } from '../email/one-time-tokens.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { type Refusal, resolveAccount } from './identities.ts'
import type { ExternalIdentity, OAuthProvider, Secrets } from './oauth-provider.ts'

const FLOW_SECONDS = 600

export interface OAuthOptions {
  providers: OAuthProvider[]
  signup: Config['signup']
  log: Logger
}

/** What waits for the browser to come back. */
interface Flow extends Omit<Secrets, 'state'> {
  provider: string
  /** The hash of what only the browser that began has. */
  browser: string
  next: string
}

type Failure = Refusal | 'access_denied' | 'expired' | 'provider_error' | 'no_organization'

export const listProviders = ({ providers, signup }: OAuthOptions) => {
  const items = providers.map(({ id, name }) => ({ id, name }))
  return async () => ({ items, signup })
}

/** Sends the browser away with a state that works once, and leaves it a secret that no other browser has. */
export const startOAuth =
  (options: OAuthOptions) =>
  async (ctx: PublicContext, { provider: id, next = '/' }: InputOf<typeof oauth.start>) => {
    const provider = providerOf(options, id)
    const secrets = { nonce: randomToken(32), verifier: randomToken(32) }
    const flow = randomToken(32)
    const data: Flow = { ...secrets, provider: id, browser: fingerprint(flow), next }
    const state = await issueToken(ctx, 'oauth', { seconds: FLOW_SECONDS, data })
    try {
      const url = await provider.begin(redirectUri(ctx, id), { ...secrets, state })
      return reply(null, { redirect: url.href, flow: { secret: flow } })
    } catch (error) {
      return back(explain(options, id, error))
    }
  }

/** Whatever goes wrong leads to the sign-in page and tells no more than one word of it. */
export const finishOAuth =
  (options: OAuthOptions) =>
  async (ctx: PublicContext, { provider: id, ...query }: InputOf<typeof oauth.callback>) => {
    const provider = providerOf(options, id)
    const state = typeof query.state === 'string' ? query.state : ''
    const begun = await consumeToken<Flow>(ctx, 'oauth', state)
    const flow = begun?.data
    const isSameBrowser = flow && ctx.origin.flow && sameSecret(flow.browser, fingerprint(ctx.origin.flow))
    if (!isSameBrowser || flow.provider !== id) return back('expired')

    let person: ExternalIdentity
    try {
      person = await provider.finish(returnedUrl(redirectUri(ctx, id), query), { ...flow, state })
    } catch (error) {
      return back(explain(options, id, error), 'ended')
    }
    const account = await resolveAccount(ctx, { provider: id, person, signup: options.signup })
    return 'refusal' in account ? back(account.refusal, 'ended') : enter(ctx, account.userId, flow.next)
  }

async function enter(ctx: PublicContext, userId: string, next: string) {
  try {
    const { options } = await completeSignIn(ctx, userId, 'oauth')
    return reply(null, { ...options, redirect: next, flow: 'ended' })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHORIZED') throw error
    const { details } = error
    const isHalfway = details && !Array.isArray(details) && details.reason === 'second_factor_required'
    if (!isHalfway) return back('no_organization', 'ended')
    const query = new URLSearchParams({ next })
    // In the fragment, which reaches no server and no log.
    return reply(null, {
      redirect: `/sign-in?${query}#second-factor=${String(details.ticket)}`,
      flow: 'ended',
    })
  }
}

const back = (failure: Failure, flow?: 'ended') =>
  reply(null, { redirect: `/sign-in?error=${failure}`, flow })

const providerOf = ({ providers }: OAuthOptions, id: string) =>
  providers.find((provider) => provider.id === id) ?? raise(notFound('Provider'))

const redirectUri = ({ origin }: PublicContext, id: string) =>
  `${origin.baseUrl}/api/v1/auth/oauth/${id}/callback`

const fingerprint = (flow: string) => sha256(flow).toString('base64url')

/** As the provider sent it, a parameter given twice included: the library refuses those. */
function returnedUrl(redirectUri: string, query: Record<string, unknown>): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each))
  }
  return url
}

/** The operator reads in the log what the visitor must not. Only words: causes can hold tokens. */
function explain({ log }: OAuthOptions, provider: string, error: unknown): Failure {
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return 'access_denied'
  const { message, cause } = error as Error
  const more = isProviderError(error) ? error.error : cause instanceof Error ? cause.message : undefined
  log.warn(
    { provider, reason: more ? `${message}: ${more}` : message },
    'a sign-in through a provider failed',
  )
  return 'provider_error'
}

const isProviderError = (error: unknown) =>
  error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
