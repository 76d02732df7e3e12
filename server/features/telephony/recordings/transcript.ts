import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { listMessages, type MessageRow } from '../../agents/conversations/conversations.ts'
import type { CallRow } from '../calls/call.ts'
import { findCall, lockCall } from '../calls/queries.ts'
import { recordEntry } from '../calls/record.ts'
import { addCallFile, callFileName, NotStored } from './call-files.ts'

const MESSAGES_MAX = 2000

export async function storeTranscript(
  ctx: JobContext<'objects' | 'quotas'>,
  { orgId, callId }: { orgId: string; callId: string },
): Promise<void> {
  const call = await findCall(ctx.sql, orgId, callId)
  if (!call?.sessionId || !call.ownerId || call.transcriptFileId !== null) return
  const page = { order: 'oldest', from: null, limit: MESSAGES_MAX } as const
  const text = formatTranscript(call, await listMessages(ctx.sql, orgId, call.sessionId, page))
  const file = { name: `${callFileName(call)}.md`, mimeType: 'text/markdown', content: chunksOf(text) }
  try {
    await addCallFile(ctx, orgId, call, call.ownerId, file, async ({ sql }, fileId) => {
      await lockCall(sql, orgId, callId)
      const { count } = await updateTranscriptFile(sql, orgId, callId, fileId)
      if (count === 0) throw new NotStored('The transcript is stored')
    })
  } catch (error) {
    if (!(error instanceof NotStored) && !(error instanceof ApiError)) throw error
    await recordNotStored(ctx, orgId, callId, error.message)
  }
}

async function* chunksOf(text: string) {
  yield Buffer.from(text)
}

const recordNotStored = (ctx: JobContext, orgId: string, callId: string, detail: string) =>
  ctx.transaction(async ({ sql }) => {
    const call = await lockCall(sql, orgId, callId)
    if (call?.transcriptFileId !== null) return
    await recordEntry(sql, orgId, callId, {
      at: ctx.now(),
      type: 'transcript.missing',
      detail,
      key: 'transcript',
    })
  })

type TranscriptMessage = Pick<MessageRow, 'role' | 'body' | 'authorId' | 'createdAt'>

/** Escapes speech, so none becomes a heading, link or list. */
export function formatTranscript(
  { direction, from, to, startedAt, durationSeconds }: CallRow,
  messages: readonly TranscriptMessage[],
): string {
  const peer = direction === 'inbound' ? from : to
  const length = durationSeconds === null ? '' : `, ${durationSeconds} seconds`
  const lines = messages
    .filter(({ role, body }) => (role === 'user' || role === 'assistant') && body.trim() !== '')
    .map((message) => {
      const speaker = speakerOf(message, peer)
      return `**${speaker}** (${timeOf(message.createdAt)}): ${escapeMarkdown(message.body)}`
    })
  const title = `# Call ${direction === 'inbound' ? 'from' : 'to'} ${peer}`
  return `${[title, `${startedAt.slice(0, 10)} ${timeOf(startedAt)} UTC${length}`, ...lines].join('\n\n')}\n`
}

const speakerOf = ({ role, authorId }: TranscriptMessage, peer: string) =>
  role === 'assistant' ? 'Agent' : authorId === null ? peer : 'Member, not heard'

const timeOf = (iso: string) => iso.slice(11, 19)

const escapeMarkdown = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')

const updateTranscriptFile = (sql: Sql, orgId: string, callId: string, fileId: string) => sql`
  update calls set transcript_file_id = ${fileId}
  where org_id = ${orgId} and id = ${callId} and transcript_file_id is null`
