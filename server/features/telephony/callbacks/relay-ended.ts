import { Id } from '../../../../contract/fields.ts'
import { lockCall } from '../calls/queries.ts'
import { recordEntry } from '../calls/record.ts'
import { hangUp, say, twiml } from '../carrier/twiml.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { HandleCallback } from '../numbers/called-number.ts'
import { updateEnding, updateRelay } from '../relay/relay-queries.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { sentencesIn } from '../relay/sentences.ts'
import { holdCaller } from '../transfer/conference.ts'

const RECONNECTS_MAX = 5
const HANG_UP = { twiml: twiml(hangUp) }

/**
 * Ended by plan, by hangup, or by a lost connection, such as when a server process is killed. A lost connection is
 * reopened. A transferred call's caller is put on hold.
 */
export const relayEnded =
  (options: Pick<TelephonyOptions, 'publicUrl' | 'connectors'>): HandleCallback =>
  (ctx, number, { fields, query }) =>
    ctx.transaction(async (inside) => {
      const { sql } = inside
      const { orgId } = number
      const callId = Id.safeParse(query.call)
      const call = callId.success ? await lockCall(sql, orgId, callId.data) : null
      if (!call || call.providerId !== fields.CallSid || call.numberId !== number.id) return HANG_UP
      const { relay } = call
      const at = ctx.now()
      const status = [fields.SessionStatus, fields.ErrorCode].filter(Boolean).join(' ') || null
      await recordEntry(sql, orgId, call.id, { at, type: 'relay.ended', detail: status })
      if (call.endedAt !== null || fields.CallStatus === 'completed') return HANG_UP
      const held = await holdCaller(options, inside, number, call)
      if (held !== null) return { twiml: held }
      if (relay.ending) return HANG_UP
      const reconnects = (relay.reconnects ?? 0) + 1
      if (reconnects > RECONNECTS_MAX) {
        await updateEnding(sql, orgId, call.id, { reason: 'connection_lost' })
        const language = relay.language ?? number.settings.language
        return { twiml: twiml(say(sentencesIn(language).sorry, language), hangUp) }
      }
      await updateRelay(sql, orgId, call.id, { reconnects })
      return { twiml: await relayTwiml(options, inside, { orgId, id: call.id }, number) }
    })
