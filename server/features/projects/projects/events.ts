import type { EventType } from '../../../../contract/webhooks/event-types.ts'
import type { Context } from '../../../context.ts'
import { publish } from '../../../events/publish.ts'
import type { ProjectRow } from './records.ts'

type ProjectEvent = Extract<EventType, `project.${string}` | `agent.run.${string}` | `task.${string}`>

/** Call it in the change's transaction. `by` is null for a guest. */
export const publishProjectEvent = (
  ctx: Pick<Context, 'sql' | 'now' | 'caller'>,
  type: ProjectEvent,
  { id }: Pick<ProjectRow, 'id'>,
  extraData: Record<string, unknown> = {},
): Promise<void> => {
  const by = ctx.caller.share ? null : ctx.caller.userId
  return publish(ctx, { type, data: { projectId: id, by, ...extraData } })
}
