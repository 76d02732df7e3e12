import { clip } from '../../../../tools/clip.ts'
import type { MessagePart, MessageRow } from '../../conversations/conversations.ts'

const NAMES = { user: 'Person', assistant: 'Agent', tool: 'Results', note: 'Note' }
const PART_BYTES = 2000
const MESSAGE_BYTES_MIN = 200

/** Messages as text for a summary, each shortened so that all of them fit. */
export function renderMessages(messages: readonly MessageRow[], bytesMax: number): string {
  const each = Math.max(MESSAGE_BYTES_MIN, Math.floor(bytesMax / messages.length))
  const lines = messages.map(
    ({ seq, role, content }) =>
      `[${seq}] ${NAMES[role]}: ${clip(content.map(renderPart).join('\n'), each).text}`,
  )
  return clip(lines.join('\n\n'), bytesMax).text
}

function renderPart(part: MessagePart): string {
  if (part.type === 'text') return String(part.text)
  if (part.type === 'tool-call') return `calls ${String(part.toolName)} ${shorten(part.input)}`
  if (part.type === 'tool-result') return `${String(part.toolName)} returned ${shorten(part.output)}`
  return ''
}

const shorten = (value: unknown) => clip(JSON.stringify(value ?? null), PART_BYTES).text
