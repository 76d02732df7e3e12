import type { HandleCallback } from '../callbacks/callback.ts'
import { type CallRow, lockCall } from '../calls/call-queries.ts'
import { recordEntry } from '../calls/record.ts'
import { hangUp, say, twiml } from '../carrier/twiml.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { updateEnding, updateRelay } from './relay-queries.ts'
import type { RelayState } from './relay-state.ts'
import { relayTwiml } from './relay-twiml.ts'
import { sentencesIn } from './sentences.ts'

const RECONNECTS_MAX = 5
const HANG_UP = { twiml: twiml(hangUp) }

/**
 * The conversation of a call has ended: by plan, because the caller hung up, or because the connection was lost, which also
 * happens when a process of this server is killed. A lost one is connected again.
 */
export const relayEnded =
  (options: Pick<TelephonyOptions, 'publicUrl'>): HandleCallback =>
  (ctx, number, { fields, query }) =>
    ctx.transaction(async (inside) => {
      const { sql } = inside
      const { orgId } = number
      const call = await lockCall(sql, orgId, query.call ?? '')
      if (!call || call.providerId !== fields.CallSid || call.numberId !== number.id) return HANG_UP
      const relay = call.relay as RelayState
      const at = ctx.now()
      const status = [fields.SessionStatus, fields.ErrorCode].filter(Boolean).join(' ') || null
      await recordEntry(sql, orgId, call.id, { at, type: 'relay.ended', detail: status })
      if (isOver(call, fields)) return HANG_UP
      const reconnects = (relay.reconnects ?? 0) + 1
      if (reconnects > RECONNECTS_MAX) {
        await updateEnding(sql, orgId, call.id, { reason: 'connection_lost' })
        const language = relay.language ?? number.settings.language
        return { twiml: twiml(say(sentencesIn(language).sorry, language), hangUp) }
      }
      await updateRelay(sql, orgId, call.id, { reconnects })
      const document = await relayTwiml(options, inside, { orgId, id: call.id }, number, {
        language: relay.language,
      })
      return { twiml: document }
    })

/** The conversation has nothing to go on with. */
const isOver = ({ endedAt, relay }: CallRow, { CallStatus }: Readonly<Record<string, string>>) =>
  endedAt !== null || (relay as RelayState).ending !== undefined || CallStatus === 'completed'
