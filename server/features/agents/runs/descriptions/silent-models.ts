import type { EngineRun } from '../state/run-row.ts'
import type { Describer } from './ask-describer.ts'

interface Asking {
  run: Pick<EngineRun, 'orgId' | 'id'>
  describer: Pick<Describer, 'id'>
}

export interface SilentModels {
  add: (asking: Asking, now: Date) => void
  has: (asking: Asking, now: Date) => boolean
}

const SILENT_MS = 600_000
/** Beyond this, the oldest are asked again. */
const RUNS_MAX = 1000

/** Vision models that sent a run nothing in time. Each of its steps would wait for them again. */
export function createSilentModels(): SilentModels {
  const silentUntil = new Map<string, number>()
  const keyOf = ({ run, describer }: Asking) => `${run.orgId} ${run.id} ${describer.id}`
  return {
    add(asking, now) {
      silentUntil.delete(keyOf(asking))
      silentUntil.set(keyOf(asking), now.getTime() + SILENT_MS)
      const [oldest] = silentUntil.keys()
      if (silentUntil.size > RUNS_MAX) silentUntil.delete(oldest!)
    },
    has: (asking, now) => (silentUntil.get(keyOf(asking)) ?? 0) > now.getTime(),
  }
}
