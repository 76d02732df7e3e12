import type { Context } from '../../../../context.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { sha256 } from '../../../../security/digest.ts'
import { newId } from '../../../../security/ids.ts'
import { deriveTitle, readOutsideFiles } from '../../../agents/chat/chat.ts'
import { insertMessage, lockSession, updateUnread } from '../../../agents/conversations/conversations.ts'
import { type DeliveredMessage, deliverMessage } from '../../../agents/outside-messages/outside-messages.ts'
import { joinRun } from '../../../agents/runs/runs.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'
import type { WorkingEndpoint } from './endpoint-rights.ts'
import { lockTarget, type PendingEvent, updateHandled, updateIgnored, updateRecord } from './event-queries.ts'

/** Runs in the caller's transaction. */
export async function deliver(
  models: ModelChoices,
  ctx: Context,
  endpoint: WorkingEndpoint,
  connectorName: string,
  event: PendingEvent,
): Promise<DeliveredMessage> {
  const { projectId, agentId } = endpoint
  const { content, body } = formatEventMessage(
    { connector: connectorName, endpoint: endpoint.name },
    event.record,
  )
  const fileIds = (event.record.images ?? []).flatMap((image) => image.fileId ?? [])
  const images = await readOutsideFiles(ctx, fileIds)
  return deliverMessage(models, ctx, {
    key: sessionKeyOf(endpoint, event.thread),
    projectId,
    agentId,
    title: deriveTitle(`${connectorName}: ${body}`),
    origin: 'provider',
    trigger: 'provider_event',
    trust: 'untrusted',
    content: [...content, ...images],
    fileIds,
    body,
  })
}

/** A moved endpoint starts other sessions. */
const sessionKeyOf = ({ id, projectId }: WorkingEndpoint, thread: string) =>
  `connector:${id}:${projectId}:${sha256(thread).toString('hex')}`

const VERBS = {
  created: 'arrived',
  edited: 'changed an earlier message',
  deleted: 'deleted an earlier message',
}

interface Source {
  connector: string
  endpoint: string
}

/** Everything outsiders wrote is data, even their names: a request in it isn't a member's. */
export function formatEventMessage({ connector, endpoint }: Source, event: NormalizedEvent) {
  const { actor, resource, text, change, images = [] } = event
  const lines = [
    actor.name || actor.id ? `From: ${actor.name ?? actor.id}` : '',
    resource ? `About: ${resource.type} ${resource.id}${resource.url ? ` (${resource.url})` : ''}` : '',
    text === null ? '' : `\n${text}`,
  ].filter(Boolean)
  const data = stableFence(lines.join('\n').trim() || 'Nothing else is known.', `${connector} (outside)`)
  const lost = images.some(({ refused }) => refused !== undefined)
    ? ' Not all of its images could be stored.'
    : ''
  const intro = `An event from ${connector} (${event.eventKey}) ${VERBS[change]}, through the endpoint ${JSON.stringify(endpoint)}.${lost}`
  return { content: [{ type: 'text', text: `${intro}\n\n${data}` }], body: bodyOf(event) }
}

function bodyOf({ text, eventKey, change }: NormalizedEvent): string {
  if (change === 'deleted') return '[The sender deleted an earlier message]'
  const words = text?.trim() || eventKey
  return change === 'edited' ? `[The sender changed an earlier message] ${words}` : words
}

/** In place if no model has read the message, else as a further message for the next step. Starts no run. */
export async function applyChange(
  ctx: Context,
  endpoint: WorkingEndpoint,
  connectorName: string,
  event: PendingEvent,
): Promise<void> {
  const { sql, caller } = ctx
  const { orgId } = caller
  const { record } = event
  const now = ctx.now()
  const target = record.targetId === null ? null : await lockTarget(sql, orgId, endpoint.id, record.targetId)
  if (!target || target.status === 'ignored') return updateIgnored(sql, orgId, event, 'unknown_target', now)
  const changed = changedRecord(target.record, record)
  const targetRef = { endpointId: endpoint.id, id: target.id }
  if (target.status === 'pending') {
    if (record.change === 'deleted') await updateIgnored(sql, orgId, targetRef, 'deleted', now)
    else await updateRecord(sql, orgId, targetRef, { record: changed, eventKey: changed.eventKey })
    return updateIgnored(sql, orgId, event, 'merged', now)
  }
  const { sessionId, messageId } = target
  if (sessionId === null || messageId === null) return updateIgnored(sql, orgId, event, 'unknown_target', now)
  const activeRunId = await lockSession(sql, orgId, sessionId)
  // The run must not open a step meanwhile.
  if (activeRunId !== null) await joinRun(ctx, orgId, activeRunId)
  const source = { connector: connectorName, endpoint: endpoint.name }
  const inPlace = formatEventMessage(
    source,
    record.change === 'deleted' ? { ...changed, text: DELETED } : changed,
  )
  if (await updateUnread(sql, orgId, sessionId, messageId, inPlace))
    return updateHandled(sql, orgId, event, { sessionId, messageId, now })
  const note = await insertMessage(
    sql,
    orgId,
    sessionId,
    {
      ...{ id: newId(), role: 'user' as const, runId: null, step: null, authorId: null },
      ...formatEventMessage(source, record),
      trust: 'untrusted' as const,
      state: activeRunId === null ? ('sent' as const) : ('queued' as const),
    },
    now,
  )
  return updateHandled(sql, orgId, event, { sessionId, messageId: note?.id ?? null, now })
}

const DELETED = '[The sender deleted this message]'

const changedRecord = (before: NormalizedEvent, { text, resource }: NormalizedEvent): NormalizedEvent => ({
  ...before,
  text,
  resource: resource ?? before.resource,
})
