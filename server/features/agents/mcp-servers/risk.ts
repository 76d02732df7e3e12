import type { Effect, Risk } from '../../../tools/tool.ts'
import type { ToolDefinition } from './listing/definition.ts'

interface Behavior {
  effect: Effect
  risk: Risk
}

/**
 * Hints are unverified claims. Unless an admin trusts them, a call counts as sending data and is never repeated. If
 * trusted, a read-only tool needs no approval, and an idempotent one is repeated after a crash.
 */
export function toolBehavior(
  { annotations: { readOnlyHint, idempotentHint } }: Pick<ToolDefinition, 'annotations'>,
  { trusted }: { trusted: boolean },
): Behavior {
  if (!trusted) return { effect: 'once', risk: 'send' }
  if (readOnlyHint) return { effect: 'read', risk: 'none' }
  return { effect: idempotentHint ? 'idempotent' : 'once', risk: 'send' }
}
