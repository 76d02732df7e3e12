import { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import { lockState } from '../server/features/files/files/record-change.ts'
import { sampleBody } from '../server/http/docs/sample.ts'
import type { JsonSchema } from '../server/http/docs/schema.ts'
import { newId } from '../server/security/ids.ts'
import type { Actor } from '../server/testing/clients/actor.ts'
import { connectApp } from '../server/testing/clients/oauth-app.ts'
import type { WebhookApp } from '../server/testing/clients/webhook-app.ts'
import { insertEndpoint } from '../server/testing/factories/endpoints.ts'
import { createManifest } from '../server/testing/factories/manifests.ts'
import { insertTelephony } from '../server/testing/factories/telephony.ts'
import { upload } from '../server/testing/factories/uploads.ts'

/** One record of every kind that a route names, and a valid request for each route. */

export const NAME = 'Secret plan'
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

export type Ids = Record<string, string>

/** Creates a project with contents in its own workspace, a webhook and a received event. */
export async function createResources(app: WebhookApp, owner: Actor): Promise<{ ids: Ids; slug: string }> {
  const { org, person, client } = owner
  const workspaceId = await app.workspace(org)
  const project = await app.project(person, { name: NAME, workspaceIds: [workspaceId] })
  const projectId = project.id
  const uploadOptions = { name: `${NAME}.txt`, fields: { parentId: project.folderId } }
  const fileId = (await upload(app, owner.headers, NAME, uploadOptions)).body.data.id as string
  const { id: blockId } = await client.canvas.create({ projectId, type: 'file', fileId, content: NAME })
  const { id: otherId } = await client.canvas.create({ projectId, type: 'note' })
  const { id: edgeId } = await client.canvas.connect({
    projectId,
    fromBlockId: blockId,
    toBlockId: otherId,
    label: NAME,
  })
  const { id: runId } = await client.runs.start({ projectId, title: NAME, status: 'running' })
  const { id: snapshotId } = await client.canvas.snapshot({ projectId, name: NAME })
  const { id: inviteId } = await client.sharing.invite({ projectId, role: 'viewer' })
  await client.sharing.share({ projectId })
  const hook = await client.webhooks.create({ name: NAME, description: NAME })
  const { id: agentId } = await client.agents.create({ name: NAME, prompt: NAME })
  await client.agents.setImage({ id: agentId, image: PIXEL })
  const { id: commentId } = await client.comments.create({ target: `block:${blockId}`, body: NAME })
  const { id: scheduleId } = await client.schedules.create({
    projectId,
    agentId,
    name: NAME,
    message: NAME,
    cron: '0 9 * * 1',
  })
  const { id: sourceId } = await client.sources.create({
    projectId,
    kind: 'website',
    settings: { url: 'https://docs.example.com' },
    name: NAME,
    confirmReaders: true,
  })
  const { id: skillId } = await client.skills.create({
    name: 'secret-plan',
    description: NAME,
    files: [{ path: 'a.md', text: NAME }],
  })
  const { id: memoryId } = await client.memory.create({ projectId, key: NAME, content: NAME })
  const { id: tableId } = await client.tables.create({ projectId, name: NAME, description: NAME })
  const { rows: tableRows } = await client.tables.upsert({ id: tableId, rows: [{ values: { name: NAME } }] })
  const tableViewId = (await client.tables.createView({ id: tableId, name: NAME })).id
  await client.canvas.create({ projectId, type: 'table', metadata: { tableId } })
  const { id: templateId } = await client.templates.create({ projectId, name: NAME })
  const { id: viewId } = await client.projectViews.create({ name: NAME, settings: {} })
  const response = await app.send(hook, { 'x-webhook-secret': hook.secret }, { id: NAME, type: 'x' })
  const eventId = response.body.eventId as string
  const { id: providerId } = await client.modelProviders.create({
    kind: 'openai',
    name: NAME,
    apiKey: 'sk-1234567890123456',
  })
  const server = { url: 'https://mcp.example.com/mcp', name: NAME, auth: 'oauth' as const }
  const { id: mcpServerId } = await client.mcpServers.create(server)
  const { id: connectionId } = (await client.connections.start({ connectorSlug: 'resend', label: NAME }))
    .connection
  const limits = { currency: 'usd', perPayment: '1', total: '5' }
  const { id: mandateId } = await client.mandates.create({
    holder: 'project',
    holderId: projectId,
    ...limits,
  })
  const { id: paymentId } = await client.machinePayments.create({
    ...{ amount: '9', currency: 'usd', reason: NAME, idempotencyKey: NAME },
  })
  await connectApp(app, person)
  const appId = (await client.connectedApps.list()).items[0]!.id
  const endpointIds = await insertEndpoint(app, person, { projectId, agentId, eventId, name: NAME })
  const phone = await insertTelephony(app, person, { projectId, agentId, name: NAME })
  const projectIds = { projectId, blockId, edgeId, runId, snapshotId, inviteId, workspaceId }
  const chatIds = await createChat(app, owner, projectId, agentId)
  const change = await lockState(app.sql, org.id, fileId)
  await app.sql`
    insert into file_changes (org_id, run_id, file_id, before, after, created_at)
    values (${org.id}, ${chatIds.agentRunId!}, ${fileId}, ${app.sql.json(change as never)}, ${app.sql.json(change as never)},
      now())`
  const ids = {
    ...projectIds,
    ...chatIds,
    ...endpointIds,
    ...phone.ids,
    seq: '1',
    version: '1',
    fileId,
    webhookId: hook.id,
    eventId,
    providerId,
    mcpServerId,
    connectionId,
    agentId,
    scheduleId,
    sourceId,
    commentId,
    ...{ memoryId, templateId, viewId },
    ...{ tableId, tableViewId, columnId: 'name', rowId: tableRows[0]!.id },
    skillId,
    mandateId,
    paymentId,
    appId,
  }
  return { ids: ids as Ids, slug: project.slug }
}

/** A session with a run that has a step, an approval and a grant. */
async function createChat(
  app: WebhookApp,
  { org, person, client }: Actor,
  projectId: string,
  agentId: string,
): Promise<Ids> {
  const { id: sessionId, run } = await client.sessions.create({
    projectId,
    agentId,
    title: NAME,
    message: { content: NAME },
  })
  const [agentRunId, approvalId, grantId] = [run!.id, newId(), newId()]
  await app.sql`
    insert into run_steps (org_id, run_id, n, attempt, state, model, context, started_at)
    values (${org.id}, ${agentRunId}, 1, 1, 'streaming', 'test/echo', '{"tokens": 1, "fromSeq": 1, "toSeq": 1, "summaryId": null, "pinnedSeq": null, "isElided": true}', now())`
  await app.sql`
    insert into approvals (org_id, id, run_id, step, ordinal, project_id, session_id, agent_id, kind, tool, risk, input,
      summary, requested_at, expires_at)
    values (${org.id}, ${approvalId}, ${agentRunId}, 1, 1, ${projectId}, ${sessionId}, ${agentId}, 'approval', 'x', 'send',
      '{}', ${NAME}, now(), now() + interval '1 day')`
  await app.sql`
    insert into approval_grants (org_id, id, agent_id, tool, risk, granted_by, granted_at)
    values (${org.id}, ${grantId}, ${agentId}, ${NAME}, 'send', ${person.id}, now())`
  const formId = newId()
  await app.sql`
    insert into form_requests (org_id, id, project_id, run_id, block_id, title, fields, people, expires_at, created_at)
    values (${org.id}, ${formId}, ${projectId}, ${agentRunId}, ${newId()}, ${NAME},
      '[{"key": "amount", "label": "Amount", "type": "number", "required": true}]', '{}', now() + interval '1 day', now())`
  const messageId = newId()
  await app.sql`
    insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
    values (${org.id}, ${sessionId}, 1000, ${messageId}, 'assistant', '[]', ${NAME}, 'trusted', now())`
  return {
    ...{ sessionId, messageId, agentRunId, approvalId, formId, grantId },
    ...{ n: '1', ordinal: '1', userId: person.id },
  }
}

/** The record that the first parameter of a route names, and the callers outside its workspace who cannot see it. */
export const RESOURCES: [route: RegExp, idName: string, deniedCallers: RegExp][] = [
  [/^\/api\/v1\/projects\/:/, 'projectId', /./],
  [/^\/api\/v1\/files\/:/, 'fileId', /./],
  [/^\/api\/v1\/webhooks\/:/, 'webhookId', /another organization/],
  [/^\/api\/v1\/model-providers\/:/, 'providerId', /another organization/],
  [/^\/api\/v1\/mcp-servers\/:/, 'mcpServerId', /another organization/],
  [/^\/api\/v1\/connections\/:/, 'connectionId', /./],
  [/^\/api\/v1\/webhooks\/events\/:/, 'eventId', /another organization/],
  [/^\/api\/v1\/agents\/:/, 'agentId', /another organization/],
  [/^\/api\/v1\/skills\/:/, 'skillId', /another organization/],
  [/^\/api\/v1\/memory\/:/, 'memoryId', /./],
  [/^\/api\/v1\/tables\/:/, 'tableId', /./],
  [/^\/api\/v1\/templates\/:/, 'templateId', /another organization/],
  [/^\/api\/v1\/project-views\/:/, 'viewId', /./],
  [/^\/api\/v1\/sessions\/:/, 'sessionId', /./],
  [/^\/api\/v1\/runs\/:/, 'agentRunId', /./],
  [/^\/api\/v1\/approvals\/:/, 'approvalId', /./],
  [/^\/api\/v1\/forms\/:/, 'formId', /./],
  [/^\/api\/v1\/comments\/:/, 'commentId', /./],
  [/^\/api\/v1\/schedules\/:/, 'scheduleId', /./],
  [/^\/api\/v1\/sources\/:/, 'sourceId', /./],
  [/^\/api\/v1\/connections\/:id\/endpoints$/, 'connectionId', /./],
  [/^\/api\/v1\/connectors\/endpoints\/:/, 'endpointId', /./],
  [/^\/api\/v1\/connectors\/replies\/:/, 'replyId', /./],
  [/^\/api\/v1\/billing\/mandates\/:/, 'mandateId', /another organization/],
  [/^\/api\/v1\/billing\/machine-payments\/:/, 'paymentId', /another organization/],
  [/^\/api\/v1\/approval-grants\/:/, 'grantId', /another organization/],
  [/^\/api\/v1\/connected-apps\/:/, 'appId', /./],
  [/^\/api\/v1\/telephony\/numbers\/:/, 'numberId', /another organization/],
  [/^\/api\/v1\/telephony\/(calls|browser-calls)\/:/, 'callId', /./],
  [/^\/api\/v1\/telephony\/sms\/:/, 'smsId', /./],
  [/^\/api\/v1\/telephony\/voice-agents\/:/, 'voiceAgentId', /another organization/],
]

/** Routes to records that `createResources` doesn’t make. Their features’ tests call them with another organization’s records. */
export const TESTED_BY_FEATURE: RegExp[] = [
  // Of the caller's own account.
  /^\/api\/v1\/auth\/(passkeys|identities|sessions)\/:/,
  // Of the organization, for its admins.
  /^\/api\/v1\/(org\/(members|invites|exports)|workspaces|api-keys|guardrails|budgets|feedback)\/:/,
  /^\/api\/v1\/connectors\/(custom\/)?:/,
  // Of every organization, for operators.
  /^\/api\/v1\/admin\//,
  // For senders without an account, who prove themselves by a signature, a token or a flow.
  /^\/api\/v1\/(auth\/oauth|connectors\/webhooks|webhooks\/receive|public-links|objects)\/:/,
]

/** The path of a route; `id` is its first parameter. */
export function pathOf(endpoint: Endpoint, ids: Ids, id: string): string {
  const [first, ...rest] = endpoint.path.match(/:\w+/g)!
  const path = rest.reduce<string>(
    (filled, name) => filled.replace(name, ids[name.slice(1)]!),
    endpoint.path.replace(first!, id),
  )
  return path.endsWith('/file') && path.includes('/skills/') ? `${path}?path=a.md` : path
}

/** A body that the contract accepts. */
export function bodyOf({ path, method, body }: Endpoint): unknown {
  if (path === '/api/v1/projects/:projectId/restore') return createManifest()
  if (!body) return method === 'GET' ? undefined : {}
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return sampleBody(schema, [])
}
