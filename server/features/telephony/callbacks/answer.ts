import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import type { CallAction, CallRow } from '../calls/call.ts'
import {
  findByProvider,
  findNamedCall,
  insertCall,
  lockCall,
  type NewCall,
  updateProviderId,
} from '../calls/queries.ts'
import { advanceCall, publishCall, recordEntry } from '../calls/record.ts'
import { applyReport } from '../calls/reports.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { hangUp, twiml } from '../carrier/twiml.ts'
import { reserveCost } from '../costs/budget.ts'
import { estimateLeg } from '../costs/prices.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallbackNumber, CarrierReply, HandleCallback } from '../numbers/called-number.ts'
import { newToken } from '../relay/relay-token.ts'
import { type AnswerPlan, chooseAction } from '../routing/match-rule.ts'
import { type AnsweringRule, DEFAULT_ACTION } from '../routing/rule.ts'
import { rulesOfCalled } from '../routing/rule-queries.ts'
import { answerTwiml } from './answer-twiml.ts'

const HANG_UP: CarrierReply = { twiml: twiml(hangUp) }
const FIRST_MINUTE_S = 60

type WithRules = CallbackNumber & { rules: readonly AnsweringRule[] }

export const answeringRules = (sql: Sql): Fragment => sql`, ${rulesOfCalled(sql)} as rules`

/** Doesn't wait for a model. Also returns the TwiML for an answered outbound call. */
export const answerCall =
  (options: TelephonyOptions): HandleCallback<WithRules> =>
  async (ctx, number, callback) => {
    if (!callback.fields.CallSid) return HANG_UP
    return callback.query.call === undefined
      ? answerInbound(options, ctx, number, callback)
      : answerOutbound(options, ctx, number, callback)
  }

/** Takes two statements: one reads the number with its rules, one stores the call. */
async function answerInbound(
  options: TelephonyOptions,
  ctx: PublicContext<'quotas' | 'vault'>,
  number: WithRules,
  { fields }: CarrierCallback,
): Promise<CarrierReply> {
  const { From: from = '', CallSid: providerId = '' } = fields
  const now = ctx.now()
  const incoming = { channel: 'voice', numberId: number.id, from, text: null, at: now } as const
  const chosen = chooseAction(number.rules, incoming)
  const call = newCall(number, chosen, { providerId, from, now })
  const relay = call.action.type === 'agent' ? newToken(ctx, call.id) : undefined
  const action = await storeCall(ctx, number, { ...call, relay: relay?.stored }, chosen)
  if (action !== null)
    return { twiml: await answerTwiml(options, ctx, number, { ...call, token: relay?.token }, action) }
  // The carrier repeats the callback if it didn't get the response.
  const existing = await findByProvider(ctx.sql, number.orgId, 'twilio', providerId)
  return existing?.numberId === number.id ? answerAgain(options, ctx, number, existing) : HANG_UP
}

const newCall = (
  number: CallbackNumber,
  { rule, action, fallback }: AnswerPlan,
  { providerId, from, now }: { providerId: string; from: string; now: Date },
): NewCall => ({
  id: newId(),
  direction: 'inbound',
  providerId,
  numberId: number.id,
  from,
  to: number.e164,
  projectId: number.projectId,
  ownerId: rule?.ownerId ?? number.ownerId,
  ruleId: rule?.id ?? null,
  action: { ...action, fallback },
  status: 'ringing',
  agentId: action.type === 'agent' ? action.agentId! : null,
  createdBy: null,
  keyId: null,
  now,
})

/** Also reserves the cost. Returns the answering action, or null if the call exists. */
async function storeCall(
  ctx: PublicContext,
  { orgId }: CallbackNumber,
  call: NewCall,
  { rule }: AnswerPlan,
): Promise<CallAction | null> {
  const { action } = call
  if (action.type === 'reject')
    return ctx.transaction(async (inside) => {
      if (!(await insertCall(inside.sql, orgId, call))) return null
      await endRejected(inside, orgId, call, rule === null ? 'no_rule' : 'rejected')
      return action
    })
  const inserted = await insertCall(ctx.sql, orgId, call)
  if (!inserted) return null
  // Most organizations have no budget and need no second transaction.
  const isAllowed =
    !inserted.mayBeLimited || (await ctx.transaction((inside) => reserve(inside, orgId, call)))
  return isAllowed ? action : DEFAULT_ACTION
}

/** Reserves the first minute. If a budget refuses, ends the call and returns false. */
async function reserve(ctx: PublicContext, orgId: string, call: NewCall): Promise<boolean> {
  const { projectId, agentId, ownerId: userId, now } = call
  const planned = { subjectId: call.id, amount: estimateLeg('inbound', call.to, FIRST_MINUTE_S) }
  const refusal = await reserveCost(ctx.sql, orgId, { projectId, agentId, userId }, planned, now)
  if (refusal === null) return true
  await recordEntry(ctx.sql, orgId, call.id, { at: now, type: 'budget', detail: refusal })
  await endRejected(ctx, orgId, call, 'budget')
  return false
}

async function endRejected(
  { sql }: PublicContext,
  orgId: string,
  call: NewCall,
  endReason: CallEnd,
): Promise<void> {
  await advanceCall(sql, orgId, call.id, { status: 'rejected', at: call.now, endReason })
  await recordEntry(sql, orgId, call.id, { at: call.now, type: 'rejected', key: 'carrier rejected' })
  await publishCall(sql, orgId, call.now, 'call.ended', call, 'rejected')
}

const answerAgain = async (
  options: TelephonyOptions,
  ctx: PublicContext<'quotas' | 'vault'>,
  number: CallbackNumber,
  call: CallRow,
): Promise<CarrierReply> => {
  if (call.endReason === 'budget')
    return { twiml: await answerTwiml(options, ctx, number, call, DEFAULT_ACTION) }
  const isOver = call.endedAt !== null && call.status !== 'rejected'
  return isOver ? HANG_UP : { twiml: await answerTwiml(options, ctx, number, call, call.action) }
}

async function answerOutbound(
  options: TelephonyOptions,
  ctx: PublicContext<'quotas' | 'vault'>,
  number: CallbackNumber,
  { fields, query }: CarrierCallback,
): Promise<CarrierReply> {
  const { orgId } = number
  const { CallSid: providerId = '' } = fields
  const named = await findNamedCall(ctx.sql, number, query)
  if (named?.direction !== 'outbound') return HANG_UP
  const call = await ctx.transaction(async ({ sql }) => {
    const locked = await lockCall(sql, orgId, named.id)
    if (!locked || locked.endedAt !== null) return null
    if (locked.providerId === null) await updateProviderId(sql, orgId, locked.id, providerId)
    else if (locked.providerId !== providerId) return null
    const report = { status: 'in-progress', sequence: null, durationSeconds: null, at: ctx.now() }
    await applyReport(sql, orgId, { ...locked, providerId }, report)
    return locked
  })
  return call ? { twiml: await answerTwiml(options, ctx, number, call, call.action) } : HANG_UP
}
