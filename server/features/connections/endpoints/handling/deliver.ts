import type { Context } from '../../../../context.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { sha256 } from '../../../../security/digest.ts'
import { titleOf } from '../../../agents/chat/chat.ts'
import { type DeliveredMessage, deliverMessage } from '../../../agents/outside-messages/outside-messages.ts'
import type { WorkingEndpoint } from './endpoint-rights.ts'
import type { PendingEvent } from './event-queries.ts'
import { messageOf } from './message.ts'

/** Adds the message of an event to the session of its thread, on the transaction of the caller. */
export function deliver(
  models: ModelChoices,
  ctx: Context,
  endpoint: WorkingEndpoint,
  connectorName: string,
  event: PendingEvent,
): Promise<DeliveredMessage> {
  const { projectId, agentId } = endpoint
  const { content, body } = messageOf({ connector: connectorName, endpoint: endpoint.name }, event.record)
  return deliverMessage(models, ctx, {
    key: sessionKeyOf(endpoint, event.thread),
    projectId,
    agentId,
    title: titleOf(`${connectorName}: ${body}`),
    origin: 'provider',
    trigger: 'provider_event',
    trust: 'untrusted',
    content,
    body,
  })
}

/** The key contains the project: an endpoint that is moved to another one starts other sessions. */
const sessionKeyOf = ({ id, projectId }: WorkingEndpoint, thread: string) =>
  `connector:${id}:${projectId}:${sha256(thread).toString('hex')}`
