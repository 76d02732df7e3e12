/** A message as text: its texts as they are, every other part as JSON. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2)
  return content.map(partText).join('\n\n')
}

function partText(part: unknown): string {
  const { type, text } = Object(part) as { type?: unknown; text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : JSON.stringify(part, null, 2)
}
