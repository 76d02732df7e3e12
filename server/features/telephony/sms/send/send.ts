import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { sms } from '../../../../../contract/telephony/sms.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { ApiError, raise, viewOnly } from '../../../../errors.ts'
import { resetAutomatic } from '../automatic-replies.ts'
import { presentSms } from '../message-queries.ts'
import { requireMedia } from './media.ts'
import { chooseNumber } from './queries.ts'
import { queueSms } from './queue-sms.ts'

export const sendSms = (ctx: Context, input: InputOf<typeof sms.send>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { to, body, mediaFileIds = [], ...sender } = input
    const needsMms = mediaFileIds.length > 0
    const number =
      (await chooseNumber(sql, caller, { ...sender, needsMms })) ?? raise(noNumber(sender, needsMms))
    if (number.access !== 'edit') throw viewOnly()
    await requireMedia(inside, mediaFileIds)
    const now = ctx.now()
    const run = caller.via === 'run' ? await findRun(sql, caller.orgId, caller.credentialId) : null
    const { row, refusal } = await queueSms(
      sql,
      caller.orgId,
      {
        ...{ number, to, body, purpose: 'message', media: mediaFileIds, createdBy: caller.userId },
        agentId: run?.agentId ?? null,
        runId: run && caller.credentialId,
        sessionId: run?.sessionId ?? null,
        keyId: run ? run.keyId : keyIdOf(caller),
      },
      now,
    )
    if (refusal) throw new ApiError('BAD_REQUEST', refusal.message, { details: { reason: refusal.reason } })
    if (!run) await resetAutomatic(sql, caller.orgId, { numberId: number.id, peer: to })
    return presentSms(row)
  })

const keyIdOf = ({ via, credentialId }: Caller): string | null =>
  via === 'key' || via === 'app' ? credentialId : null

async function findRun(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<{ agentId: string | null; sessionId: string | null; keyId: string | null }[]>`
    select agent_id as "agentId", session_id as "sessionId", key_id as "keyId" from runs
    where org_id = ${orgId} and id = ${id}`
  return row ?? { agentId: null, sessionId: null, keyId: null }
}

function noNumber({ from, numberId }: { from?: string; numberId?: string }, needsMms: boolean): ApiError {
  const requestedNumber = from ?? numberId
  const capability = needsMms ? 'send text messages with files' : 'send text messages'
  return new ApiError(
    'BAD_REQUEST',
    requestedNumber === undefined
      ? `No project that you can edit has a number that can ${capability}: ask an admin to import one`
      : `${requestedNumber} must be a number that can ${capability}, in a project that you can edit`,
    { details: { reason: 'no_number' } },
  )
}
