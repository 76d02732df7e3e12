import { dictionary } from '../../../../../contract/dictionary.ts'
import { measureSms } from '../../../../../contract/telephony/sms-segments.ts'
import type { Sql } from '../../../../database/database.ts'
import { notify } from '../../../../database/transaction.ts'
import { publishIn } from '../../../../events/publish.ts'
import { newId } from '../../../../security/ids.ts'
import type { CarrierCallback } from '../../carrier/carrier.ts'
import { twiml } from '../../carrier/twiml.ts'
import { recordSmsCost } from '../../costs/record-cost.ts'
import type { CallbackNumber, HandleCallback } from '../../numbers/called-number.ts'
import { insertSms, type NewSms, touchConversation } from '../message-queries.ts'
import { isOptedOut } from '../opt-outs.ts'
import { type Keyword, obeyKeyword, parseKeyword } from './keywords.ts'

export const RECEIVED_CHANNEL = 'atrium_sms_received'

const BODY_MAX = 5000
const SENDER_MAX = 40
const MEDIA_MAX = 10
/** Replies are separate messages. */
const EMPTY_RESPONSE = { twiml: twiml() }

/** Stores once. A worker handles it, but keywords take effect immediately. */
export const receiveSms: HandleCallback = async (ctx, number, { fields }) => {
  const { From: from, MessageSid: providerId } = fields
  if (!from || !providerId) return EMPTY_RESPONSE
  const { orgId } = number
  await ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    const message = messageOf(number, fields, now)
    const keyword = await effectiveKeyword(sql, orgId, message, fields)
    const stored = await insertSms(sql, orgId, { ...message, handling: keyword ? 'done' : 'pending' })
    if (!stored) return
    const { numberId, projectId, segments } = message
    const { ownerId: userId, e164: to } = number
    // One round trip.
    await Promise.all([
      touchConversation(sql, orgId, { ...message, isPending: keyword === null }),
      publishIn(sql, orgId, now, {
        type: 'sms.received',
        data: { smsId: message.id, projectId, numberId, segments },
      }),
      recordSmsCost(
        sql,
        orgId,
        {
          ...{ messageId: message.id, providerId, direction: 'inbound', numberId, to, segments },
          ...{ projectId, agentId: null, userId },
        },
        now,
      ),
    ])
    // The carrier replies itself where it supports the keyword.
    const isAnswered = fields.OptOutType !== undefined
    if (keyword) return obeyKeyword(sql, orgId, number, { keyword, peer: message.peer, isAnswered, now })
    notify(sql, RECEIVED_CHANNEL)
  })
  return EMPTY_RESPONSE
}

type Fields = CarrierCallback['fields']

function messageOf(number: CallbackNumber, fields: Fields, now: Date): NewSms {
  const body = (fields.Body ?? '').slice(0, BODY_MAX).toWellFormed()
  const { encoding, segments: measured } = measureSms(body)
  const segments = /^[1-9]\d?$/.test(fields.NumSegments ?? '') ? Number(fields.NumSegments) : measured
  return {
    id: newId(),
    direction: 'inbound',
    numberId: number.id,
    projectId: number.projectId,
    e164: number.e164,
    peer: fields.From!.slice(0, SENDER_MAX).toWellFormed(),
    body,
    encoding,
    segments,
    status: 'received',
    remoteMedia: mediaOf(fields),
    providerId: fields.MessageSid!,
    now,
  }
}

function mediaOf(fields: Fields) {
  const count = /^\d{1,2}$/.test(fields.NumMedia ?? '') ? Number(fields.NumMedia) : 0
  return Array.from({ length: Math.min(count, MEDIA_MAX) }, (_, index) => ({
    url: fields[`MediaUrl${index}`] ?? '',
    contentType: fields[`MediaContentType${index}`] ?? '',
  })).filter(({ url }) => url !== '')
}

const CARRIER_WORDS: Readonly<Record<string, Keyword>> = dictionary({
  STOP: 'stop',
  START: 'start',
  HELP: 'help',
})

/** START and its synonyms count only for recipients who opted out. For others, “yes” is an answer. */
async function effectiveKeyword(
  sql: Sql,
  orgId: string,
  { body, numberId, peer }: NewSms,
  { OptOutType }: Fields,
): Promise<Keyword | null> {
  const keyword = CARRIER_WORDS[OptOutType ?? ''] ?? parseKeyword(body)
  if (keyword !== 'start') return keyword
  return (await isOptedOut(sql, orgId, { numberId, peer })) ? keyword : null
}
