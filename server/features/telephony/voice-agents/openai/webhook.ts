import { z } from 'zod'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { E164 } from '../../../../../contract/telephony/telephony-fields.ts'
import { TELEPHONY_LIMITS } from '../../../../../contract/telephony/telephony-options.ts'
import type { voiceAgents as contract } from '../../../../../contract/telephony/voice-agents.ts'
import type { PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { type RefusalReason, readRawBody } from '../../../../inbound/receive.ts'
import { sanitizeJson } from '../../../../inbound/sanitize.ts'
import { newId } from '../../../../security/ids.ts'
import { acceptedSchemes } from '../../../../signatures/signature-schemes.ts'
import { verify } from '../../../../signatures/verify.ts'
import { recordEntry } from '../../calls/record.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { refuse } from '../authenticate.ts'
import { findNamedAgent, findWebhookSecret, forTenant, toSecret } from '../named-agent.ts'
import { updateUsed, type VoiceAgentRow } from '../voice-agent-queries.ts'
import { callUnknown, callWaits, openVoiceCall, publishCall } from '../voice-calls.ts'
import { type RoutedCall, routeCall } from './routed-call.ts'

type Input = InputOf<typeof contract.openaiWebhook>

/** Responds immediately. A job answers the call. */
export const receiveIncoming =
  (options: TelephonyOptions) =>
  async (
    ctx: PublicContext<'objects' | 'quotas' | 'suspensions' | 'vault'>,
    { content, contentLength, headers, target, ...query }: Input,
  ) => {
    const namedAgent = await findNamedAgent(ctx, 'openai', query)
    const secret = findWebhookSecret(options, ctx, 'openai', namedAgent)
    const [scheme = null] = acceptedSchemes('standard')
    const refusal = (reason: RefusalReason) => refuse(ctx, namedAgent, { headers, reason, scheme, secret })
    const body = await readRawBody({ content, contentLength }, TELEPHONY_LIMITS.callbackBytes)
    if (body === null) throw await refusal('too_large')
    const url = ctx.origin.baseUrl + target
    const secrets = secret === null ? [] : [toSecret(secret)]
    const { reason } = verify(acceptedSchemes('standard'), { url, headers, body }, secrets, ctx.now())
    if (reason !== null) throw await refusal(reason)
    const event = eventOf(body)
    if (event) await receiveCall(ctx, namedAgent, event.data)
    return reply(null, { bytes: { content: null, headers: { 'cache-control': 'no-store' } } })
  }

/** Null for any other event, which is ignored. */
function eventOf(body: Buffer) {
  try {
    return IncomingEvent.safeParse(sanitizeJson(JSON.parse(body.toString()))).data ?? null
  } catch {
    return null
  }
}

type Data = Parameters<typeof partiesOf>[0]

async function receiveCall(
  ctx: PublicContext<'objects' | 'quotas' | 'suspensions'>,
  namedAgent: VoiceAgentRow | null,
  data: Data,
): Promise<void> {
  const { from, to } = partiesOf(data)
  const routed = await routeCall(ctx, namedAgent, { from: from ?? '', to, at: ctx.now() })
  const { voiceAgent } = routed
  if (!voiceAgent || ctx.suspensions.find(voiceAgent.orgId))
    return void (await ctx.enqueue(callUnknown, { providerId: data.call_id }))
  const tenant = forTenant(ctx, voiceAgent.orgId)
  await tenant.transaction((inside) =>
    recordRinging(inside, voiceAgent, routed, { providerId: data.call_id, from, to }),
  )
}

interface RingingCall {
  providerId: string
  from: string | undefined
  to: string | undefined
}

/** A repeated event finds the call and adds no job. */
async function recordRinging(
  inside: PublicContext,
  voiceAgent: VoiceAgentRow,
  routed: RoutedCall,
  ringing: RingingCall,
) {
  const { orgId } = voiceAgent
  const { sql } = inside
  const at = inside.now()
  const { numberId, ruleId, action } = routed
  const opened = await openVoiceCall(sql, orgId, voiceAgent, {
    ...{ id: newId(), direction: 'inbound', status: 'ringing', startedAt: at },
    ...{ ...ringing, numberId, ruleId, action },
  })
  if (!opened?.isNew) return
  const { call } = opened
  await recordEntry(sql, orgId, call.id, { at, type: 'ringing' })
  await updateUsed(sql, orgId, voiceAgent.id, at)
  await publishCall(inside, orgId, 'call.started', call, 'ringing')
  await inside.enqueue(callWaits, { orgId, callId: call.id })
}

const HEADERS_MAX = 200

const IncomingEvent = z.object({
  type: z.literal('realtime.call.incoming'),
  data: z.object({
    call_id: z.string().regex(/^[\w-]{1,200}$/),
    sip_headers: z
      .array(z.unknown())
      .max(HEADERS_MAX)
      .transform((headers) => headers.flatMap((header) => SipHeader.safeParse(header).data ?? []))
      .catch([]),
  }),
})

const SipHeader = z.object({ name: z.string().max(100), value: z.string().max(2000) })

const ADDRESS = /^[^<:]{0,100}<?(?:sip|sips|tel):(\+?\d{7,15})(?=[@;>]|$)/i

/** From the INVITE headers, which can be forged: use only as a lookup key. */
function partiesOf({ sip_headers: headers }: z.output<typeof IncomingEvent>['data']) {
  const numberIn = (headerName: string) =>
    headers
      .filter(({ name }) => name.toLowerCase() === headerName)
      // The quoted name may contain any text.
      .map(({ value }) => ADDRESS.exec(value.replaceAll(/"[^"]*"/g, ''))?.[1])
      .map((number) => number && (number.startsWith('+') ? number : `+${number}`))
      .find((number) => E164.safeParse(number).success)
  return { from: numberIn('from') ?? numberIn('p-asserted-identity'), to: numberIn('to') }
}
