import { z } from 'zod'
import { Id } from '../../../../contract/fields.ts'
import { browserCalls as contract } from '../../../../contract/telephony/browser-calls.ts'
import { BROWSER_CALL_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import type { JobContext } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import type { SocketRoute } from '../../../endpoint/socket-route.ts'
import { forbidden, raise } from '../../../errors.ts'
import { claimFairly, inTurns } from '../../../jobs/claim-fairly.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { DUE_CALLS, findCall } from '../calls/queries.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { consumeRelayToken, isCallToken } from '../relay/relay-token.ts'
import { createTicker } from '../relay/ticker.ts'
import { createBrowserConversation } from './conversation.ts'
import { endBrowserCall } from './end-call.ts'
import { findOpenBrowserCall } from './queries.ts'
import { reconnectCall, SOCKET_PATH, startCall } from './start-call.ts'

export const endLostJob = job('telephony.end-lost-browser-calls', z.object({}))

/** A member talks to an agent in the browser, without a carrier: recordings in, spoken answers out. */
export const browserCallsPart = (options: TelephonyOptions): Part => ({
  routes: [handle(contract.create, startCall(options)), handle(contract.connect, reconnectCall)],
  sockets: [browserSocket(options)],
  jobs: [onJob(endLostJob, endLostCalls)],
  schedules: [{ job: endLostJob, cron: '* * * * *' }],
})

/** Two clips. */
const BUFFERED_BYTES_MAX = 9_437_184

function browserSocket(options: TelephonyOptions): SocketRoute {
  const ticker = createTicker((err) => options.log.error({ err }, 'a call in the browser failed'))
  return {
    path: SOCKET_PATH,
    bytesMax: BROWSER_CALL_LIMITS.utteranceBytes,
    bufferedBytesMax: BUFFERED_BYTES_MAX,
    async open(ctx, { params, query }) {
      const callId = Id.safeParse(params.callId).data ?? raise(refused('unknown_call'))
      const { token } = query
      if (typeof token !== 'string' || !isCallToken(ctx, callId, token)) throw refused('bad_token')
      const { orgId } = (await findOpenBrowserCall(ctx.sql, callId)) ?? raise(refused('unknown_call'))
      return {
        orgId,
        async accept(ctx) {
          const connection = await consumeRelayToken(ctx, orgId, callId, token)
          if (connection === null) throw refused('used_token')
          const call = (await findCall(ctx.sql, orgId, callId)) ?? raise(refused('unknown_call'))
          return (socket) => {
            const conversation = createBrowserConversation({ options, ctx, orgId, call, connection, socket })
            const stop = ticker.add(conversation)
            return {
              onText: conversation.onText,
              onBytes: conversation.onBytes!,
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

const refused = (reason: string) => forbidden('This token doesn’t connect the call', { reason })

const ENDED_MAX = 200
const RETRY_MS = 60_000

/** The browser didn't connect or come back, or the process with its socket was killed. */
export async function endLostCalls(ctx: JobContext): Promise<void> {
  const now = ctx.now()
  const leasedUntil = new Date(now.getTime() + RETRY_MS)
  const lost = await claimFairly<{ orgId: string; id: string }>(
    ctx.sql,
    DUE_CALLS,
    inTurns({ limit: ENDED_MAX, now, leasedUntil }),
    {
      where: ctx.sql`t.provider = 'browser'`,
      lease: ctx.sql`due_at = ${leasedUntil}`,
      returning: ctx.sql`t.org_id as "orgId", t.id`,
    },
  )
  for (const { orgId, id } of lost) await endBrowserCall(ctx, orgId, id, { reason: 'connection_lost' })
}
