import { expect } from 'vitest'
import type { Import } from './imports.ts'

/** States why the rule exists; a failure repeats the reason beside the violation. */
export function fence(reason: string, offenders: (Import | string)[]) {
  const list = offenders.map((entry) =>
    typeof entry === 'string' ? entry : `${entry.from} imports ${entry.to}`,
  )
  expect(list, reason).toEqual([])
}
