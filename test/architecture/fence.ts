import { expect } from 'vitest'
import type { Import } from './imports.ts'

/** Checks a rule; a failure prints the reason for the rule beside the violations. */
export function fence(reason: string, offenders: (Import | string)[]) {
  const list = offenders.map((entry) =>
    typeof entry === 'string' ? entry : `${entry.from} imports ${entry.to}`,
  )
  expect(list, reason).toEqual([])
}
