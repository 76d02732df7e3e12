import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { conflict, raise } from '../../../../errors.ts'
import type { RunTool } from '../state/run-tool.ts'

const SLEEP_MS_MAX = 60_000

const input = z.strictObject({ ms: z.number().min(0).max(SLEEP_MS_MAX) })

/** A call, so that a repeated program doesn't sleep again. */
const sleepTool: RunTool<z.output<typeof input>> = {
  name: 'sleep',
  description: 'Wait',
  input,
  effect: 'read',
  risk: 'none',
  run: async ({ signal }, { ms }) => {
    await wait(ms, undefined, { signal }).catch(() => raise(conflict('The run ended')))
    return null
  },
}

/** What programs call through their library, not models. */
export const HELPER_TOOLS: ReadonlyMap<string, RunTool> = new Map([
  [sleepTool.name, sleepTool as unknown as RunTool],
])
