import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const COLLECT_EVERY_BYTES = 16_777_216

type Collect = (options: { type: 'minor' }) => void

let collect: Collect | undefined
let bytesSinceCollection = 0

/**
 * Streamed bytes leave garbage buffers behind, and V8 lets 64 MB of them accumulate before it collects. A minor
 * collection frees them in about a millisecond: with it, eight concurrent uploads of 100 MB grow the process half as
 * much as without.
 */
export function trackStreamedBytes(bytes: number): void {
  bytesSinceCollection += bytes
  if (bytesSinceCollection < COLLECT_EVERY_BYTES) return
  bytesSinceCollection = 0
  collect ??= findCollector()
  collect({ type: 'minor' })
}

function findCollector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
