/** One event of a stream, as its lines say. */
export interface StreamEvent {
  event: string
  /** Sent back, it says where to go on. */
  id?: string
  data: string
}

/**
 * Reads server-sent events as they come. Not by EventSource, which can send no headers and tells nothing of a refusal.
 * `onBytes` hears of everything that arrives, heartbeats too.
 */
export async function* eventsOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: () => void = () => {},
): AsyncGenerator<StreamEvent> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let event = 'message'
  let id: string | undefined
  let data: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.map((each) => each.replace(/\r$/, ''))) {
      if (line === '') {
        if (data.length > 0) yield { event, data: data.join('\n'), ...(id && { id }) }
        event = 'message'
        id = undefined
        data = []
        continue
      }
      const [, field, text] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (field === 'event' && text) event = text
      if (field === 'id') id = text
      if (field === 'data') data.push(text ?? '')
    }
  }
}
