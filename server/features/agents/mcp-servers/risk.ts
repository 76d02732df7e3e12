import type { Effect, Risk } from '../../../tools/tool.ts'
import type { ToolDefinition } from './listing/definition.ts'

interface Behavior {
  effect: Effect
  risk: Risk
}

/**
 * The risk of a tool call. The hints of a server are unverified claims: without the trust of an admin, a call
 * sends data outside and may never be repeated. With it, a tool with the hint read-only needs no approval, and one
 * with the hint idempotent is repeated after a crash.
 */
export function behaviorOf(
  { annotations: { readOnlyHint, idempotentHint } }: Pick<ToolDefinition, 'annotations'>,
  { trusted }: { trusted: boolean },
): Behavior {
  if (!trusted) return { effect: 'once', risk: 'send' }
  if (readOnlyHint) return { effect: 'read', risk: 'none' }
  return { effect: idempotentHint ? 'idempotent' : 'once', risk: 'send' }
}
