import type { PublishedEventType } from '../../../../contract/webhooks/event-types.ts'
import type { Context } from '../../../context.ts'
import { publish } from '../../../events/publish.ts'
import { notifyProject } from '../../../streams/notify.ts'
import type { Target } from './records.ts'

type CommentEvent = Extract<PublishedEventType, `comment.${string}`>

/** Publishes a change of a comment, and lets open dashboards of its project read the thread again. */
export async function announce(
  ctx: Context,
  type: CommentEvent,
  target: Target,
  comment: { id: string; parentId: string | null },
): Promise<void> {
  const { orgId, userId, share } = ctx.caller
  const name = `${target.type}:${target.id}`
  await publish(ctx, {
    type,
    data: {
      commentId: comment.id,
      parentId: comment.parentId,
      target: name,
      projectId: target.projectId,
      by: share ? null : userId,
    },
  })
  if (target.projectId !== null)
    notifyProject(ctx.sql, orgId, target.projectId, { kind: 'comments', target: name })
}
