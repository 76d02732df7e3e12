/** One input of an agent block's run, as the server wrote it into the message. */
export interface RunInput {
  /** Null for text that didn't come from a block. */
  blockId: string | null
  /** The block's name when the run started. */
  name: string | null
  text: string
}

const HEAD =
  /^Input(?: from (?:"(?<name>(?:[^"\\]|\\.)*)"|a \w+ block|a block) \((?<blockId>[0-9a-f-]{36})\))?:\n+/
const FENCED = /^[^\n]*\n<<<(?<boundary>DATA-[0-9a-f]{32})\n(?<text>[\s\S]*)\n\k<boundary>>>>$/

/** Without the markers that tell the model what is data. Text of another form is shown as it is. */
export function readRunInput(message: string): RunInput {
  const head = HEAD.exec(message)
  if (!head) return { blockId: null, name: null, text: message }
  const { name, blockId } = head.groups ?? {}
  const body = message.slice(head[0].length)
  return {
    blockId: blockId ?? null,
    name: name === undefined ? null : unquote(name),
    text: FENCED.exec(body)?.groups?.text ?? body,
  }
}

function unquote(name: string): string {
  try {
    return String(JSON.parse(`"${name}"`))
  } catch {
    return name
  }
}
