import { Readable } from 'node:stream'
import type { sessions } from '../../../../../contract/agents/sessions.ts'
import type { InputOf, OutputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { formatUiRefusal, type RunChannel, UI_HEADERS } from '../../runs/runs.ts'

/** With `format=ui`, the run that answers the message, as a stream. */
export async function followAnswer(
  channel: RunChannel,
  ctx: Context,
  { format }: InputOf<typeof sessions.send>,
  { run }: OutputOf<typeof sessions.send>,
) {
  if (format !== 'ui') return null
  const content = await channel.followUi(ctx, run.id).catch((error: unknown) => {
    // The message is sent: an error response would make the client send it again.
    if (error instanceof ApiError) return Readable.from([formatUiRefusal(run.id, error.message)])
    throw error
  })
  return { content, headers: UI_HEADERS }
}
