import { dictionary } from '../../../../../contract/dictionary.ts'
import type { CallEnd, CallStatus } from '../../../../../contract/telephony/telephony-options.ts'
import { type Context, createContext, type PublicContext } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { deriveTitle } from '../../../agents/chat/chat.ts'
import {
  discardObject,
  findOrCreateFolder,
  insertUpload,
  type StoredUpload,
  storeUpload,
} from '../../../files/files/files.ts'
import type { CallRow } from '../../calls/call.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { recordCost } from '../../costs/record-cost.ts'
import { FOLDER } from '../../recordings/call-files.ts'
import { contextOfOwner, NO_ACCESS } from '../named-agent.ts'
import type { VoiceAgentRow } from '../voice-agent-queries.ts'
import { findNumberId, openVoiceCall, publishCall, resultsDue, updateVoiceCall } from '../voice-calls.ts'
import { type Conversation, callParties, toUtterances, type Utterance } from './conversation.ts'
import { addTranscript } from './session.ts'

/** Once: the transcript becomes messages and a file, and the call ends. */
export async function applyTranscription(
  ctx: PublicContext<'objects' | 'quotas'>,
  voiceAgent: VoiceAgentRow,
  conversation: Conversation,
): Promise<void> {
  const utterances = toUtterances(conversation)
  const times = timesOf(conversation, ctx.now())
  const summary = conversation.analysis?.transcript_summary || null
  const acting = utterances.length > 0 ? await contextOfOwner(ctx, voiceAgent) : null
  const name = callFileName(callParties(conversation), times.startedAt)
  const transcript = { name, summary, startedAt: times.startedAt, utterances }
  const upload = acting && (await storeTranscript(acting, transcript))
  let isUsed = false
  try {
    isUsed = await ctx.transaction((inside) =>
      endCall(inside, voiceAgent, conversation, { ...transcript, ...times, upload }),
    )
  } finally {
    if (upload && !isUsed) await discardObject(ctx, voiceAgent.orgId, upload.key)
  }
}

interface EndedConversation {
  utterances: ReturnType<typeof toUtterances>
  summary: string | null
  startedAt: Date
  answeredAt: Date | null
  endedAt: Date
  durationSeconds: number | null
  /** Null if the transcript is empty or the owner can no longer edit the project. */
  upload: StoredUpload | null
}

/** False, writing nothing, if the end was applied before or the conversation belongs to another voice agent. */
async function endCall(
  inside: PublicContext<'objects' | 'quotas'>,
  voiceAgent: VoiceAgentRow,
  conversation: Conversation,
  { utterances, summary, upload, ...times }: EndedConversation,
): Promise<boolean> {
  const { orgId, projectId } = voiceAgent
  const { sql } = inside
  const { ownNumber, ...parties } = callParties(conversation)
  const numberId = ownNumber === undefined ? null : await findNumberId(sql, orgId, ownNumber)
  const opened = await openVoiceCall(sql, orgId, voiceAgent, {
    ...{ id: newId(), providerId: conversation.conversation_id, numberId, status: 'in_progress' },
    ...{ ...parties, startedAt: times.startedAt },
  })
  if (!opened) return false
  const { call } = opened
  const isFirst = await recordEntry(sql, orgId, call.id, {
    ...{ key: 'elevenlabs:post_call_transcription', at: inside.now(), type: 'transcript_received' },
  })
  if (!isFirst) return false
  const acting = upload && (await contextOfOwner(inside, voiceAgent))
  const title = deriveTitle(`Call ${call.direction === 'inbound' ? 'from' : 'to'} ${peerOf(parties, call)}`)
  const sessionId =
    acting && (await addTranscript(acting, voiceAgent, conversation.conversation_id, { title, utterances }))
  const file = acting && (await addFile(acting, projectId, upload))
  if (utterances.length > 0 && !acting)
    await recordEntry(sql, orgId, call.id, {
      at: inside.now(),
      type: 'transcript_not_stored',
      detail: NO_ACCESS,
    })
  const endReason = endReasonOf(conversation)
  const { isEnd } = await advanceCall(sql, orgId, call.id, {
    status: 'completed',
    at: times.endedAt,
    endReason,
  })
  const details = { ...parties, ...times, numberId, summary, sessionId, endReason }
  await updateVoiceCall(sql, orgId, call.id, { ...details, transcriptFileId: file?.id })
  await charge(inside, voiceAgent, call.id, conversation)
  if (opened.isNew) await publishCall(inside, orgId, 'call.started', call, 'in_progress')
  if (isEnd) await publishCall(inside, orgId, 'call.ended', call, 'completed')
  await inside.enqueue(resultsDue, { orgId, callId: call.id })
  return file !== null
}

const addFile = async (acting: Context<'quotas'>, projectId: string, upload: StoredUpload) =>
  insertUpload(createContext(acting), upload, {
    projectId,
    parentId: await findOrCreateFolder(acting, projectId, FOLDER),
  })

const peerOf = (parties: { from?: string | undefined; to?: string | undefined }, call: CallRow) =>
  call.direction === 'inbound' ? (parties.from ?? call.from) : (parties.to ?? call.to)

function timesOf({ metadata }: Conversation, now: Date) {
  const date = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null)
  const durationSeconds =
    metadata?.call_duration_secs == null ? null : Math.round(metadata.call_duration_secs)
  const startedAt =
    date(metadata?.start_time_unix_secs) ?? new Date(now.getTime() - (durationSeconds ?? 0) * 1000)
  const answeredAt = date(metadata?.accepted_time_unix_secs) ?? startedAt
  const endedAt = new Date(answeredAt.getTime() + (durationSeconds ?? 0) * 1000)
  return { startedAt, answeredAt, endedAt, durationSeconds }
}

function endReasonOf({ metadata }: Conversation): CallEnd {
  const reason = metadata?.termination_reason ?? ''
  if (/end_call|agent/i.test(reason)) return 'agent_ended'
  if (/silence|inactiv/i.test(reason)) return 'no_input'
  if (/max(imum)?.*duration|exceed/i.test(reason)) return 'time_limit'
  return 'caller_hung_up'
}

/** The provider reports credits and, for newer accounts, US dollars. Only dollars are comparable. */
async function charge(
  { sql, now }: PublicContext,
  { orgId, projectId, agentId, ownerId }: VoiceAgentRow,
  callId: string,
  { metadata }: Conversation,
): Promise<void> {
  const cost = metadata?.cost_fiat
  if (cost == null) return
  await recordCost(
    sql,
    orgId,
    {
      ...{ kind: 'call', subjectId: callId, item: 'conversation', provider: 'elevenlabs', numberId: null },
      ...{ amount: cost.toFixed(6), isEstimate: false, projectId, agentId, userId: ownerId },
      quantity: { seconds: Math.round(metadata?.call_duration_secs ?? 0) },
    },
    now(),
  )
}

/** The call couldn't be placed. Applies once per conversation. */
export const applyFailure = (ctx: PublicContext, voiceAgent: VoiceAgentRow, conversation: Conversation) =>
  ctx.transaction(async (inside) => {
    const { orgId } = voiceAgent
    const { sql } = inside
    const at = inside.now()
    // Only calls that the provider places can fail like this.
    const { ownNumber, ...parties } = callParties(conversation)
    const opened = await openVoiceCall(sql, orgId, voiceAgent, {
      ...{ id: newId(), providerId: conversation.conversation_id, status: 'ringing', startedAt: at },
      ...{ ...parties, direction: parties.direction ?? 'outbound' },
      numberId: ownNumber === undefined ? null : await findNumberId(sql, orgId, ownNumber),
    })
    if (!opened) return
    const { call } = opened
    const reason = conversation.failure_reason || 'unknown'
    const isFirst = await recordEntry(sql, orgId, call.id, {
      ...{ key: 'elevenlabs:call_initiation_failure', at, type: 'failed', detail: reason },
    })
    if (!isFirst) return
    const { status, endReason } = END_BY_REASON[reason.toLowerCase().replaceAll(/[ _]/g, '-')] ?? FAILED
    const { isEnd } = await advanceCall(sql, orgId, call.id, { status, at, endReason })
    if (opened.isNew) await publishCall(inside, orgId, 'call.started', call, 'ringing')
    if (isEnd) await publishCall(inside, orgId, 'call.ended', call, status)
  })

interface End {
  status: CallStatus
  endReason: 'busy' | 'no_answer' | 'carrier_failed'
}

const FAILED: End = { status: 'failed', endReason: 'carrier_failed' }
const END_BY_REASON: Readonly<Record<string, End | undefined>> = dictionary({
  busy: { status: 'busy', endReason: 'busy' },
  'no-answer': { status: 'no_answer', endReason: 'no_answer' },
})

interface Transcript {
  name: string
  summary: string | null
  startedAt: Date
  utterances: readonly Utterance[]
}

export function callFileName(
  { from = 'unknown', to = 'unknown' }: { from?: string | undefined; to?: string | undefined },
  startedAt: Date,
): string {
  const time = startedAt.toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')
  return `Call ${time} ${from} to ${to}`.replace(/[^\w+. -]/g, '_')
}

/** No record owns it yet. */
const storeTranscript = (ctx: Context<'objects'>, transcript: Transcript): Promise<StoredUpload> =>
  storeUpload(ctx, {
    name: `${transcript.name}.md`,
    mimeType: 'text/markdown',
    content: contentOf(transcript),
  })

async function* contentOf({ name, summary, utterances }: Transcript): AsyncIterable<Uint8Array> {
  yield Buffer.from(`# ${name}\n`)
  if (summary) yield Buffer.from(`\n${summary}\n`)
  for (const { role, text, seconds } of utterances) {
    const time = seconds === null ? '' : ` (${clock(seconds)})`
    yield Buffer.from(`\n**${role === 'user' ? 'Caller' : 'Agent'}**${time}: ${text}\n`)
  }
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
