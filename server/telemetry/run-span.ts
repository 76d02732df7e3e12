import { formatTraceparent, parseTraceparent } from './traceparent.ts'

/**
 * The span of a run, which may outlast its process: its id is derived from the id of the run, so that steps refer to it
 * before it ends, and the process that ends the run sends it.
 */
export function runTraceparent({ id, trace }: { id: string; trace: string | null }): string | null {
  const parent = parseTraceparent(trace)
  return parent && formatTraceparent({ ...parent, spanId: runSpanId(id) })
}

/** The random part of an id. */
export const runSpanId = (runId: string): string => runId.replaceAll('-', '').slice(16)
