/** A comment line, which clients ignore: it keeps proxies from closing an idle connection. */
export const HEARTBEAT = Buffer.from(': heartbeat\n\n')

export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Keeps nginx from buffering the response.
  'x-accel-buffering': 'no',
}

/** JSON escapes line breaks, so the data always fits one `data:` line and no value can start an event of its own. */
export function formatEvent(name: string, data: unknown, id?: number | string): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
