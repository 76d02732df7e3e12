import type { MessagePart, MessageRow } from '../../conversations/conversations.ts'

/** Outputs above this size are left out of the context, except the newest ones. */
const LARGE_BYTES = 4096
const NEWEST_KEPT = 6

/** Leaves old, large tool outputs out of the context. The messages keep them, and the model can read them again. */
export function elideOutputs(messages: MessageRow[]): MessageRow[] {
  let seen = 0
  const elided = messages.toReversed().map((message): MessageRow => {
    if (message.role !== 'tool') return message
    const content = message.content.toReversed().map((part) => {
      seen += 1
      return seen > NEWEST_KEPT && sizeOf(part) > LARGE_BYTES ? withoutOutput(part, message.seq) : part
    })
    return { ...message, content: content.reverse() }
  })
  return elided.reverse()
}

const sizeOf = ({ output }: MessagePart) => JSON.stringify(output ?? null).length

const withoutOutput = (part: MessagePart, seq: number): MessagePart => ({
  ...part,
  output: {
    type: 'text',
    value: `[This output was left out to save space. read_history with from ${seq} and to ${seq} shows it.]`,
  },
})
