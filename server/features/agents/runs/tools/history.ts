import { z } from 'zod'
import { clip } from '../../../../tools/clip.ts'
import { listMessages } from '../../conversations/conversations.ts'
import type { RunTool, RunToolCall } from '../state/run-tool.ts'

const ANSWER_BYTES = 24_000
const MESSAGE_BYTES = 6000
const MESSAGES_MAX = 100

const input = z.strictObject({
  from: z.int().min(1).default(1).describe('First message number'),
  to: z.int().min(1).optional().describe('Last message number'),
})

export const readHistory: RunTool<z.output<typeof input>> = {
  name: 'read_history',
  description:
    'Read earlier messages in this conversation by number. Use it when a summary leaves out a detail you need.',
  input,
  effect: 'read',
  isConversation: true,
  risk: 'none',
  async run(call, { from, to = null }) {
    const messages = await listFrom(call, from, to)
    const shown: object[] = []
    let bytes = 0
    for (const { seq, role, text, createdAt } of messages.slice(0, MESSAGES_MAX)) {
      const part = clip(text, MESSAGE_BYTES)
      const item = { seq, role, text: part.text, ...(part.next !== null && { cut: true }), createdAt }
      bytes += Buffer.byteLength(JSON.stringify(item))
      if (bytes > ANSWER_BYTES && shown.length > 0) break
      shown.push(item)
    }
    const nextMessage = messages[shown.length]
    return { messages: shown, ...(nextMessage && { next: `Call again with from ${nextMessage.seq}` }) }
  },
}

/** Oldest first. Tool results are JSON. */
async function listFrom({ sql, run }: Pick<RunToolCall, 'sql' | 'run'>, from: number, to: number | null) {
  const limit = MESSAGES_MAX + 1
  const rows = await listMessages(sql, run.orgId, run.sessionId, { order: 'oldest', from: from - 1, limit })
  return rows
    .filter(({ seq, state }) => state === 'sent' && (to === null || seq <= to))
    .map(({ seq, role, body, content, createdAt }) => ({
      seq,
      role,
      text: body || JSON.stringify(content),
      createdAt,
    }))
}
