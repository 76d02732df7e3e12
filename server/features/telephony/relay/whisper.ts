import type { Context } from '../../../context.ts'
import { conflict, forbidden } from '../../../errors.ts'
import type { CallRow } from '../calls/call-queries.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { deliver, messageOfMember } from './deliver.ts'
import { addTimelineEntry } from './timeline.ts'

/**
 * Delivers an instruction of a member to the agent that speaks in a call. The other person does not hear it. The
 * endpoint has checked that the member can edit the project of the call; the agent keeps the rights of the owner of
 * the call.
 */
export async function whisper(
  options: Pick<TelephonyOptions, 'models'>,
  ctx: Context,
  call: CallRow,
  message: string,
): Promise<void> {
  const { orgId, userId } = ctx.caller
  if (call.endedAt !== null || call.provider !== 'twilio' || call.sessionId === null)
    throw conflict('No agent speaks in this call')
  const spokenCall = { ...call, orgId }
  const instruction = messageOfMember(spokenCall, message, userId)
  const choices = await options.models.choices(orgId)
  const delivered = await deliver(choices, ctx, spokenCall, instruction, {
    connection: null,
    interruption: null,
  })
  if (delivered.kind === 'gone') throw conflict('The call has ended')
  if (delivered.kind === 'obstacle')
    throw forbidden('The member with whose rights the agent works can no longer edit the project')
  await addTimelineEntry(ctx.sql, orgId, call.id, { type: 'whisper', detail: message, at: ctx.now() })
}
