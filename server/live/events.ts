import type { LiveEvents } from '../../contract/live.ts'

export const HEARTBEAT = Buffer.from(': still here\n\n')

/** As it is sent. JSON has no line breaks of its own, so whatever a name holds stays within its one line. */
export function eventOf<N extends keyof LiveEvents>(name: N, data: LiveEvents[N], id?: number): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
