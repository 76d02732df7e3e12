import type { z } from 'zod'
import {
  PROVIDER_EVENT_STATUSES,
  REPLY_STATUSES,
} from '../../contract/connections/connector-endpoint-options.ts'
import { CONNECTOR_AUTH_TYPES, CONNECTOR_CATEGORIES } from '../../contract/connections/connector-options.ts'
import { contract } from '../../contract/index.ts'
import { SOURCE_ACTIONS } from '../../contract/knowledge/source-options.ts'
import { fileRequests } from './file-requests.ts'
import { byEach, type ListRequest, list, WORDS } from './list-request.ts'
import { organizationRequests } from './organization-requests.ts'
import type { World } from './seed.ts'
import { TARGET, THREAD_ID } from './seed-comments.ts'
import { CONNECTION_ID, ENDPOINT_ID } from './seed-connections.ts'
import { LIST_ID, ROW_ID, TABLE_ID } from './seed-project-tables.ts'
import { MCP_SERVER_ID, RUN_ID } from './seed-runs.ts'
import { SOURCE_ID, SYNC_ID } from './seed-sources.ts'
import { idOf } from './seed-tables.ts'
import { NUMBER_ID, PEER } from './seed-telephony.ts'

/** One filter for each status of the contract. */
const statusesOf = ({ query }: { query: { shape: { status: z.ZodOptional<z.ZodEnum> } } }) =>
  query.shape.status.unwrap().options.map((status) => `status=${status}`)

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

const KINDS = contract.notifications.list.query.shape.kind.unwrap().options
const TRIGGERS = contract.agentRuns.list.query.shape.trigger.unwrap().options

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Every list and search of the API, in the variants that have plans of their own. */
export function listRequests(world: World): ListRequest[] {
  const { projectId, webhookId, feedbackId, workspaceId, agentId, memoryId, skillId, sessionId, scheduleId } =
    world
  const project = `/projects/${projectId}`
  // A canvas of 100,000 blocks would be ten times the limit of one.
  const previewedIds = [1, 2, 3].map((n) => idOf('b', n)).join(',')
  const logs = [
    ...['', 'type=order.paid', 'type=order.*', 'type=none.*', 'direction=inbound', 'direction=internal'],
    ...['search=sent-100', `search=${idOf('1', 100)}`, ...statusesOf(contract.webhooks.events)],
    ...['from=2000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z', 'from=2000-01-01T00:00:00Z&type=order.*'],
  ]
  const directions = ['direction=inbound', 'direction=outbound']
  const number = `numberId=${NUMBER_ID}`
  const peer = `peer=${encodeURIComponent(PEER)}`
  const groups = ['project', 'agent', 'model', 'user', 'key']
  return [
    ...fileRequests(world),
    ...byEach((by) =>
      list('projects.list', '/projects', ['limit=50', 'limit=50&visibility=private'], { by }),
    ),
    ...list('projects.list', '/projects', [
      ...[`limit=50&workspaceId=${workspaceId}`, 'limit=50&trashed=true'],
      `limit=50&sort=name&workspaceId=${workspaceId}`,
    ]),
    ...byEach((by) =>
      list(
        'projects.list',
        '/projects',
        [
          ...['sort=updated', 'sort=name', 'sort=opened', 'sort=created&order=asc', 'sort=updated&order=asc'],
          ...['sort=name&order=desc', 'sort=updated&status=archived'],
          ...['sort=name&search=zebra', 'favourites=true&sort=name', 'favourites=true&sort=opened'],
        ].map((query) => `limit=50&${query}`),
        { by },
      ),
    ),
    ...list('templates.list', '/templates', ['']),
    ...list('projectViews.list', '/project-views', ['']),
    ...byEach((by) => list('favourites.list', '/favourites', [''], { by })),
    ...byEach((by) => list('projectPreviews.list', '/project-previews', [`ids=${previewedIds}`], { by })),
    ...byEach((by) =>
      list(
        'projects.list',
        '/projects',
        [...WORDS, ...statusesOf(contract.projects.list), 'visibility=team'].map(
          (query) => `limit=50&${query}`,
        ),
        { by },
      ),
    ),
    ...list('canvas.list', `${project}/blocks`, ['limit=50'], { by: 'member' }),
    ...list('canvas.history', `${project}/history`, ['', `itemId=${idOf('d', 9)}`, `runId=${idOf('f', 1)}`], {
      by: 'member',
    }),
    ...list('canvas.snapshots', `${project}/snapshots`, [''], { by: 'member' }),
    ...list('runs.list', `${project}/runs`, ['', ...statusesOf(contract.runs.list)], {
      by: 'member',
    }),
    ...list('sharing.read', `${project}/share`, ['']),
    ...list('tables.list', `${project}/tables`, ['', 'deleted=true'], { by: 'member' }),
    ...list('tables.rows', `/tables/${TABLE_ID}/rows`, [
      ...['', 'search=zzz', `filter=${json({ column: 'key', op: 'eq', value: 'k7' })}`],
      ...[`filter=${json({ column: 'n', op: 'lt', value: 5 })}`, `sort=${json([{ column: 'text' }])}`],
    ]),
    ...list('tables.views', `/tables/${TABLE_ID}/views`, ['']),
    ...list('tables.changes', `/tables/${TABLE_ID}/changes`, ['']),
    ...list('tables.rowChanges', `/tables/${TABLE_ID}/rows/${ROW_ID}/changes`, ['']),
    ...list('forEach.lists', `/runs/${RUN_ID}/lists`, ['']),
    ...list('forEach.items', `/runs/${RUN_ID}/items`, [
      ...['', `listId=${LIST_ID}`],
      ...['queued', 'running', 'done', 'failed'].map((state) => `listId=${LIST_ID}&state=${state}`),
    ]),
    ...byEach((by) => list('forms.list', '/forms', [''], { by })),
    ...list('agents.list', '/agents', [
      ...['', 'sort=name', 'archived=true', 'archived=true&sort=name'],
      ...['q=agent', 'q=399', 'q=none', 'q=none&sort=name&archived=true'],
    ]),
    ...list('agents.faces', '/agents/faces', ['']),
    ...list('agents.activity', '/agents/activity', ['', `agentId=${agentId}`]),
    ...list('agents.versions', `/agents/${agentId}/versions`, ['', 'limit=50']),
    ...byEach((by) => list('sessions.list', '/sessions', ['', 'status=ended', 'search=zebra'], { by })),
    ...list('sessions.list', '/sessions', [
      ...[
        `projectId=${projectId}`,
        `projectId=${projectId}&status=ended`,
        `agentId=${agentId}`,
        'status=open',
      ],
      ...[`branchedFrom=${sessionId}`, 'search=photo', 'search=none', `search=photo&projectId=${projectId}`],
    ]),
    ...list('sessions.messages', `/sessions/${sessionId}/messages`, ['', 'after=100']),
    ...byEach((by) => list('agentRuns.list', '/runs', ['', 'status=failed', 'trigger=schedule'], { by })),
    ...list('agentRuns.list', '/runs', [
      ...[...statusesOf(contract.agentRuns.list), ...TRIGGERS.map((trigger) => `trigger=${trigger}`)],
      ...[`projectId=${projectId}`, `projectId=${projectId}&status=failed`, `agentId=${agentId}`],
      ...[`agentId=${agentId}&status=failed`, `sessionId=${sessionId}`, `scheduleId=${scheduleId}`],
      ...[`since=${new Date().toISOString()}`, 'since=2020-01-01T00:00:00Z'],
    ]),
    ...byEach((by) => list('agentRuns.stats', '/runs/stats', ['', `since=${hoursAgo(40)}`], { by })),
    ...byEach((by) => list('agentRuns.strips', '/runs/strips', [`ids=${RUN_ID}`], { by })),
    ...list('agentRuns.children', `/runs/${RUN_ID}/children`, ['']),
    ...list('agentRuns.steps', `/runs/${RUN_ID}/steps`, ['']),
    ...list('agentRuns.programCalls', `/runs/${RUN_ID}/steps/1/calls/1/calls`, ['', 'after=200']),
    ...list('agentRuns.changes', `/runs/${RUN_ID}/changes`, ['']),
    ...byEach((by) => list('approvals.list', '/approvals', ['', 'decided=true'], { by })),
    ...list('approvals.list', '/approvals', [
      ...[`projectId=${projectId}`, `decided=true&projectId=${projectId}`, `decided=true&runId=${RUN_ID}`],
    ]),
    ...list('approvals.grants', '/approval-grants', ['', `agentId=${agentId}`]),
    ...byEach((by) =>
      list(
        'passages.search',
        '/knowledge/search',
        [
          ...[
            'q=photo',
            'q=photo+zebra',
            `q=photo&projectId=${projectId}`,
            'q=photo&types=memory&explain=true',
          ],
          ...['q=photo&types=session', `q=photo&within=${projectId}`, `q=photo&within=${sessionId}`],
        ],
        { by },
      ),
    ),
    ...byEach((by) => list('sources.list', '/sources', ['', `projectId=${projectId}`], { by })),
    ...list('sources.readers', '/sources/readers', [`projectId=${projectId}`]),
    ...list('sources.syncs', `/sources/${SOURCE_ID}/syncs`, ['']),
    ...list('sources.log', `/sources/${SOURCE_ID}/log`, [
      ...['', `syncId=${SYNC_ID}`, `syncId=${SYNC_ID}&action=skipped`],
      ...SOURCE_ACTIONS.map((action) => `action=${action}`),
    ]),
    ...list('guardrails.list', '/guardrails', ['']),
    ...list('mcpServers.list', '/mcp-servers', ['']),
    ...list('mcpServers.calls', `/mcp-servers/${MCP_SERVER_ID}/calls`, ['']),
    ...list('connectors.list', '/connectors', [
      ...['', 'search=mail', ...CONNECTOR_AUTH_TYPES.map((type) => `authType=${type}`)],
      ...Object.keys(CONNECTOR_CATEGORIES).map((category) => `category=${category}`),
    ]),
    ...list('mcpCalls.list', '/mcp/calls', ['']),
    ...list('connections.list', '/connections', ['', 'shared=true']),
    ...list('connections.calls', `/connections/${CONNECTION_ID}/calls`, ['']),
    ...byEach((by) =>
      list('search.find', '/search', ['', 'q=photo', 'q=zebra', 'q=none', 'q=phtoo', 'q=photo&types=file'], {
        by,
      }),
    ),
    ...list('search.find', '/search', [
      `q=photo&projectId=${projectId}`,
      `q=${projectId}`,
      'types=message,file',
    ]),
    ...byEach((by) => list('home.counts', '/home/counts', [''], { by })),
    ...byEach((by) => list('home.read', '/home', [''], { by })),
    ...list('home.read', '/home', [''], { by: 'operator' }),
    ...list('comments.list', '/comments', [
      ...[TARGET, `${TARGET}&projectId=${projectId}`, `${TARGET}&state=open`, `${TARGET}&state=resolved`],
      `${TARGET}&parentId=${THREAD_ID}`,
    ]),
    ...list('comments.counts', '/comments/counts', [`projectId=${projectId}`], { by: 'member' }),
    ...list('comments.people', '/comments/people', [
      ...[TARGET, `${TARGET}&projectId=${projectId}`, `${TARGET}&search=person`, `${TARGET}&search=none`],
    ]),
    ...list('notifications.list', '/notifications', [
      '',
      'unread=true',
      ...KINDS.map((kind) => `kind=${kind}`),
    ]),
    ...list('customConnectors.list', '/connectors/custom', ['']),
    ...byEach((by) =>
      list(
        'connectorEndpoints.list',
        '/connectors/endpoints',
        ['', `connectionId=${CONNECTION_ID}`, `projectId=${projectId}`, `agentId=${agentId}`],
        { by },
      ),
    ),
    ...list('connectorEndpoints.events', `/connectors/endpoints/${ENDPOINT_ID}/events`, [
      ...['', ...PROVIDER_EVENT_STATUSES.map((status) => `status=${status}`)],
    ]),
    ...byEach((by) =>
      list(
        'connectorEndpoints.replies',
        '/connectors/replies',
        REPLY_STATUSES.map((status) => `status=${status}`),
        {
          by,
        },
      ),
    ),
    ...list('connectorEndpoints.observeEndpoints', '/admin/connectors/endpoints', ['', 'connector=github'], {
      by: 'operator',
    }),
    ...list(
      'connectorEndpoints.observeEvents',
      '/admin/connectors/events',
      ['', `endpointId=${ENDPOINT_ID}`],
      { by: 'operator' },
    ),
    ...list('schedules.list', '/schedules', ['', `projectId=${projectId}`, `agentId=${agentId}`]),
    ...byEach((by) =>
      list(
        'memory.list',
        '/memory',
        ['', 'scope=project', 'status=proposed', 'q=photo', 'q=zebra', 'q=none'],
        { by },
      ),
    ),
    ...list('memory.list', '/memory', [
      ...[`projectId=${projectId}`, 'scope=org', `projectId=${projectId}&q=photo`, 'scope=org&q=zebra'],
      ...['status=proposed&q=photo', `status=proposed&projectId=${projectId}`],
    ]),
    ...list('skills.list', '/skills', ['', 'q=skill', 'q=none']),
    ...list('skills.versions', `/skills/${skillId}/versions`, ['']),
    ...list('memory.versions', `/memory/${memoryId}/versions`, ['']),
    ...list('webhooks.list', '/webhooks', ['']),
    ...list('webhooks.events', '/webhooks/events', logs),
    ...list('webhooks.eventsOf', `/webhooks/${webhookId}/events`, logs),
    ...list('webhooks.deliveries', `/webhooks/${webhookId}/deliveries`, [
      '',
      ...statusesOf(contract.webhooks.deliveries),
    ]),
    ...list('feedback.list', '/feedback', ['limit=50', 'limit=50&offset=100']),
    ...list('feedback.comments', `/feedback/${feedbackId}/comments`, ['']),
    ...list('feedback.queue', '/admin/feedback', ['', ...statusesOf(contract.feedback.queue)], {
      by: 'operator',
    }),
    ...list('operations.samples', '/admin/health/samples', [''], { by: 'operator' }),
    ...list('operations.jobs', '/admin/jobs', [''], { by: 'operator' }),
    ...list('organization.members', '/org/members', ['', 'search=person', 'search=unmatched']),
    ...list('organization.invites', '/org/invites', ['']),
    ...list('organization.audit', '/org/audit', [
      '',
      'action=key.created',
      `userId=${world.owner.id}`,
      'search=sign',
      'search=rare',
      'search=nothing',
      'search=rare%20sign&action=key.created',
      'from=2000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z',
    ]),
    ...list('workspaces.list', '/workspaces', ['']),
    ...list('workspaces.list', '/workspaces', [''], { by: 'smallMember' }),
    ...list('workspaces.members', `/workspaces/${workspaceId}/members`, ['']),
    ...list('apiKeys.list', '/api-keys', ['']),
    ...list('connectedApps.list', '/connected-apps', ['']),
    ...list('models.list', '/models', ['', 'format=openai']),
    ...list('modelSettings.list', '/model-settings', ['']),
    ...list('modelProviders.list', '/model-providers', ['']),
    ...list('quotas.list', '/org/quotas', ['']),
    ...list('budgets.list', '/budgets', ['']),
    ...list('budgets.list', '/budgets', [''], { by: 'member' }),
    ...list('usage.get', '/usage', [
      ...['', 'from=2026-01-01&to=2026-06-30', ...groups.map((group) => `groupBy=${group}`)],
      ...[`groupBy=model&projectId=${projectId}`, `agentId=${agentId}`, 'model=test/x'],
      ...[`groupBy=day&userId=${world.owner.id}`, `keyId=${idOf('a', 1)}`],
    ]),
    ...list('usage.get', '/usage', ['groupBy=project'], { by: 'member' }),
    ...list('machinePayments.list', '/billing/machine-payments', [
      ...['', ...statusesOf(contract.machinePayments.list), `projectId=${projectId}`],
      ...[`runId=${idOf('f', 1)}`, `mandateId=${idOf('f', 1)}`],
    ]),
    ...list('mandates.list', '/billing/mandates', ['']),
    ...organizationRequests(world),
    ...list('security.overview', '/auth/security', ['']),
    ...byEach((by) => list('telephony.overview', '/telephony', [''], { by })),
    ...list('phoneNumbers.list', '/telephony/numbers', ['']),
    ...list('routing.list', '/telephony/routing', ['']),
    ...list('voiceAgents.list', '/telephony/voice-agents', ['']),
    ...byEach((by) => list('calls.list', '/telephony/calls', ['', 'open=true', 'status=failed'], { by })),
    ...list('calls.list', '/telephony/calls', [
      ...[...statusesOf(contract.calls.list), ...directions, 'open=false', number, peer],
      ...[`agentId=${agentId}`, `projectId=${projectId}`, `projectId=${projectId}&status=failed`],
      ...['since=2020-01-01T00:00:00Z', `until=${new Date().toISOString()}`],
    ]),
    ...byEach((by) => list('sms.list', '/telephony/sms', ['', 'status=failed', peer], { by })),
    ...list('sms.list', '/telephony/sms', [
      ...[...statusesOf(contract.sms.list), ...directions, number, `${number}&${peer}`],
      ...[`projectId=${projectId}`, `projectId=${projectId}&status=failed`],
    ]),
    ...byEach((by) => list('sms.conversations', '/telephony/sms/conversations', ['', number], { by })),
    ...list('sms.optOuts', '/telephony/opt-outs', ['', number]),
  ]
}
