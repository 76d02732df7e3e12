import type { Logger } from 'pino'
import type { oauth } from '../../../../../contract/accounts/oauth.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError, notFound, raise } from '../../../../errors.ts'
import { callbackUrl, consumeFlow, startFlow } from '../../../../oauth/flow.ts'
import { failureReason, isAccessDenied } from '../../../../oauth/oauth-client.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { type Refusal, resolveAccount } from './identities.ts'
import type { ExternalIdentity, IdentityProvider } from './identity-providers.ts'

export interface OAuthOptions {
  providers: IdentityProvider[]
  signup: Config['signup']
  log: Logger
}

/** Stored with the flow: the page to open after sign-in. */
interface SignInFlow {
  next: string
}

type Failure = Refusal | 'access_denied' | 'expired' | 'provider_error' | 'no_organization'

export const listProviders = ({ providers, signup }: OAuthOptions) => {
  const items = providers.map(({ id, name }) => ({ id, name }))
  return async ({ mail }: PublicContext<'mail'>) => ({
    items,
    signup,
    mail: mail.canSend,
    publicUrl: mail.hasPublicUrl,
  })
}

export const startOAuth =
  (options: OAuthOptions) =>
  async (ctx: PublicContext, { provider: id, next = '/' }: InputOf<typeof oauth.start>) => {
    const { client } = findProvider(options, id)
    const data: SignInFlow = { next }
    const { secrets, browserSecret } = await startFlow(ctx, id, data)
    try {
      const url = await client.authorizationUrl(redirectUriOf(ctx, id), secrets)
      return reply(null, { redirect: url.href, flow: { secret: browserSecret } })
    } catch (error) {
      return redirectToSignIn(failureOf(options, id, error))
    }
  }

/** Every failure redirects to the sign-in page with a code and no provider detail. */
export const finishOAuth =
  (options: OAuthOptions) =>
  async (
    ctx: PublicContext<'hooks' | 'suspensions' | 'vault'>,
    { provider: id, ...query }: InputOf<typeof oauth.callback>,
  ) => {
    const { client, readIdentity } = findProvider(options, id)
    const state = typeof query.state === 'string' ? query.state : ''
    const callback = { provider: id, state, browserSecret: ctx.origin.flowSecret }
    const flow = await consumeFlow<SignInFlow>(ctx, callback)
    if (!flow) return redirectToSignIn('expired')

    let identity: ExternalIdentity
    try {
      const tokens = await client.exchangeCode(callbackUrl(redirectUriOf(ctx, id), query), flow)
      identity = await readIdentity(tokens)
    } catch (error) {
      return redirectToSignIn(failureOf(options, id, error), 'ended')
    }
    const account = await resolveAccount(ctx, { provider: id, identity, signup: options.signup })
    return 'refusal' in account
      ? redirectToSignIn(account.refusal, 'ended')
      : signIn(ctx, account.userId, flow.next)
  }

async function signIn(ctx: PublicContext<'suspensions' | 'vault'>, userId: string, next: string) {
  try {
    const { options } = await completeSignIn(ctx, userId, 'oauth')
    return reply(null, { ...options, redirect: next, flow: 'ended' })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHORIZED') throw error
    const { details } = error
    const isPending = details && !Array.isArray(details) && details.reason === 'second_factor_required'
    if (!isPending) return redirectToSignIn('no_organization', 'ended')
    const query = new URLSearchParams({ next })
    // The token is in the fragment, which reaches no server and no log.
    return reply(null, {
      redirect: `/sign-in?${query}#second-factor=${String(details.ticket)}`,
      flow: 'ended',
    })
  }
}

const redirectToSignIn = (failure: Failure, flow?: 'ended') =>
  reply(null, { redirect: `/sign-in?error=${failure}`, flow })

const findProvider = ({ providers }: OAuthOptions, id: string) =>
  providers.find((provider) => provider.id === id) ?? raise(notFound('Provider'))

const redirectUriOf = ({ origin }: PublicContext, id: string) =>
  `${origin.baseUrl}/api/v1/auth/oauth/${id}/callback`

/** The log has the reason for the operator. The browser gets only the code. */
function failureOf({ log }: OAuthOptions, provider: string, error: unknown): Failure {
  if (isAccessDenied(error)) return 'access_denied'
  log.warn({ provider, reason: failureReason(error) }, 'OAuth sign-in failed')
  return 'provider_error'
}
