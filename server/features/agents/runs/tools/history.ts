import { z } from 'zod'
import { clip } from '../../../../tools/clip.ts'
import type { RunTool, RunToolCall } from './run-tool.ts'

const ANSWER_BYTES = 24_000
const MESSAGE_BYTES = 6000
const MESSAGES_MAX = 100

export interface HistoryMessage {
  seq: number
  role: string
  /** The text of the message; results of tools are left out or shortened. */
  text: string
  createdAt: string
}

/** Reads messages `from` up to and including `to` of the session of the run, oldest first, at most `limit`. */
export type HistoryReader = (
  call: Pick<RunToolCall, 'sql' | 'run'>,
  range: { from: number; to: number | null; limit: number },
) => Promise<HistoryMessage[]>

const input = z.strictObject({
  from: z.int().min(1).default(1).describe('The number of the first message'),
  to: z.int().min(1).optional().describe('The number of the last message'),
})

export const readHistory = (read: HistoryReader): RunTool<z.output<typeof input>> => ({
  name: 'read_history',
  description:
    'Read earlier messages of this conversation by number. Use it when a summary leaves out a detail that you need.',
  input,
  effect: 'read',
  isConversation: true,
  risk: 'none',
  async run(call, { from, to = null }) {
    const messages = await read(call, { from, to, limit: MESSAGES_MAX + 1 })
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
})
