import { Id } from '../../../../contract/fields.ts'
import type { PublicContext } from '../../../context.ts'
import type { SocketRequest, SocketRoute } from '../../../endpoint/socket-route.ts'
import { forbidden, raise } from '../../../errors.ts'
import { insertRefusal } from '../../../inbound/event-log.ts'
import { receive } from '../../../inbound/receive.ts'
import type { Receiver } from '../../../inbound/receiver.ts'
import { TWILIO } from '../../../signatures/signature-schemes.ts'
import { findCall } from '../calls/queries.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { createAuthTokens } from '../numbers/auth-tokens.ts'
import { findCallbackNumberById } from '../numbers/called-number.ts'
import { createConversation } from './conversation.ts'
import { findRelayedCall } from './relay-queries.ts'
import { consumeRelayToken, isCallToken } from './relay-token.ts'
import { RELAY_PATH } from './relay-twiml.ts'
import { createTicker } from './ticker.ts'

/** A phone call is a session: the caller's words are messages, and the agent's answers are spoken. */
export const relayPart = (options: TelephonyOptions): Part => ({
  routes: [],
  sockets: [relaySocket(options)],
})

const BYTES_MAX = 65_536

function relaySocket(options: TelephonyOptions): SocketRoute {
  const tokens = createAuthTokens(options)
  const ticker = createTicker((err) => options.log.error({ err }, 'a call conversation failed'))

  /** The signature covers the URL with its token. There is no body. */
  async function verifySignature(
    ctx: PublicContext<'outbound' | 'quotas' | 'suspensions' | 'vault'>,
    { target, headers }: SocketRequest,
    numberId: string,
  ) {
    const url = ctx.origin.baseUrl.replace(/^http/, 'ws') + target
    const outcome = await receive<Receiver, { isVerified: true }>(
      ctx,
      {
        bytesMax: 0,
        find: async (freshness) => {
          const number = await findCallbackNumberById(ctx.sql, numberId)
          if (!number) return null
          const secrets = await tokens.find(ctx, number, freshness)
          const { orgId, id, provider: source } = number
          return {
            orgId,
            id,
            source,
            version: 0,
            isDisabled: false,
            schemes: [TWILIO],
            secrets: () => secrets,
          }
        },
        store: async () => ({ isVerified: true }),
        record: ({ sql }, receiver, refusal) => insertRefusal(sql, receiver.orgId, receiver, refusal),
      },
      { url, headers, content: emptyBody(), contentLength: null },
    )
    if (outcome.kind === 'refused') throw refused(outcome.reason)
    if (outcome.kind !== 'stored') throw refused('unknown_number')
  }

  return {
    path: RELAY_PATH,
    bytesMax: BYTES_MAX,
    async open(ctx, request) {
      const callId = Id.safeParse(request.params.callId).data ?? raise(refused('unknown_call'))
      const { token } = request.query
      if (typeof token !== 'string' || !isCallToken(ctx, callId, token)) throw refused('bad_token')
      const { orgId, numberId } = (await findRelayedCall(ctx.sql, callId)) ?? raise(refused('unknown_call'))
      await verifySignature(ctx, request, numberId)
      return {
        orgId,
        async accept(ctx) {
          const number = (await findCallbackNumberById(ctx.sql, numberId)) ?? raise(refused('unknown_number'))
          const connection = await consumeRelayToken(ctx, orgId, callId, token)
          if (connection === null) throw refused('used_token')
          const call = (await findCall(ctx.sql, orgId, callId)) ?? raise(refused('unknown_call'))
          return (socket) => {
            const conversation = createConversation({ options, ctx, number, call, connection, socket })
            const stop = ticker.add(conversation)
            return {
              onText: conversation.onText,
              onClose: (code) => {
                stop()
                return conversation.onClose(code)
              },
            }
          }
        },
      }
    },
  }
}

const refused = (reason: string) =>
  forbidden('The connection could not be verified as coming from this call’s carrier', { reason })

async function* emptyBody() {}
