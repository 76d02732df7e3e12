import type { LiveEvents } from '../../contract/canvas/live.ts'

export const HEARTBEAT = Buffer.from(': still here\n\n')

/** As it is sent. JSON has no line breaks of its own, so whatever a name holds stays within its one line. */
export function writeEvent(name: string, data: unknown, id?: number | string): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

export const eventOf = <N extends keyof LiveEvents>(name: N, data: LiveEvents[N], id?: number): Buffer =>
  writeEvent(name, data, id)

/** The headers of a stream of events. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Proxies would collect the events otherwise, until there are enough of them.
  'x-accel-buffering': 'no',
}
