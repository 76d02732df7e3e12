import type { z } from 'zod'
import { contract } from '../../contract/index.ts'
import type { World } from './seed.ts'
import { idOf } from './seed-tables.ts'

type Caller = 'owner' | 'member' | 'guestless' | 'operator'

export interface ListRequest {
  /** The endpoint's name in the contract. */
  name: string
  path: string
  by?: Caller
}

const of = (name: string, base: string, queries: string[], more: Omit<ListRequest, 'name' | 'path'> = {}) =>
  queries.map((query): ListRequest => ({ name, path: `${base}${query ? `?${query}` : ''}`, ...more }))

/** One filter for each status of the contract. */
const statusesOf = ({ query }: { query: { shape: { status: z.ZodOptional<z.ZodEnum> } } }) =>
  query.shape.status.unwrap().options.map((status) => `status=${status}`)

/** Every list and search of the API, in the variants that have plans of their own. */
export function listRequests(world: World): ListRequest[] {
  const {
    projectId,
    projectFolderId,
    linksFolderId,
    smallFolderId,
    webhookId,
    feedbackId,
    workspaceId,
    agentId,
  } = world
  const project = `/projects/${projectId}`
  const word = ['search=photo', 'search=zebra', 'search=giraffe', 'search=p', 'tag=rare', 'tag=none']
  const sorted = ['search=photo&sort=newest', 'search=zebra&sort=largest', 'tag=rare&sort=largest']
  const folders = [
    ...['', 'sort=newest', 'sort=largest', 'source=folder', 'source=link', 'source=upload', 'page=7'],
    ...[`projectId=${projectId}`, `parentId=${linksFolderId}`, `parentId=${linksFolderId}&sort=newest`],
    ...[`parentId=${projectFolderId}`, `parentId=${smallFolderId}`],
  ]
  const logs = [
    ...['', 'type=order.paid', 'type=order.*', 'type=none.*', 'direction=inbound', 'direction=internal'],
    ...['search=sent-100', `search=${idOf('1', 100)}`, ...statusesOf(contract.webhooks.events)],
  ]
  const byEach = (make: (by: Caller) => ListRequest[]) =>
    (['owner', 'member', 'guestless'] as const).flatMap(make)
  return [
    ...byEach((by) =>
      of(
        'files.list',
        '/files',
        folders.filter((query) => by === 'owner' || query !== 'page=7'),
        { by },
      ),
    ),
    ...byEach((by) => of('files.list', '/files', [...word, ...sorted, 'trashed=true'], { by })),
    ...of('files.list', '/files', [
      `search=photo&parentId=${smallFolderId}`,
      `search=photo&projectId=${projectId}`,
    ]),
    ...byEach((by) => of('projects.list', '/projects', ['limit=50', 'limit=50&visibility=private'], { by })),
    ...of('projects.list', '/projects', [`limit=50&workspaceId=${workspaceId}`, 'limit=50&trashed=true']),
    ...byEach((by) =>
      of(
        'projects.list',
        '/projects',
        [...word, ...statusesOf(contract.projects.list), 'visibility=team'].map(
          (query) => `limit=50&${query}`,
        ),
        { by },
      ),
    ),
    ...of('canvas.list', `${project}/blocks`, ['limit=50'], { by: 'member' }),
    ...of('canvas.history', `${project}/history`, ['', `itemId=${idOf('d', 9)}`, `runId=${idOf('f', 1)}`], {
      by: 'member',
    }),
    ...of('canvas.snapshots', `${project}/snapshots`, [''], { by: 'member' }),
    ...of('runs.list', `${project}/runs`, ['', ...statusesOf(contract.runs.list)], {
      by: 'member',
    }),
    ...of('sharing.read', `${project}/share`, ['']),
    ...of('agents.list', '/agents', [
      ...['', 'sort=name', 'archived=true', 'archived=true&sort=name'],
      ...['q=agent', 'q=399', 'q=none', 'q=none&sort=name&archived=true'],
    ]),
    ...of('agents.versions', `/agents/${agentId}/versions`, ['', 'limit=50']),
    ...of('webhooks.list', '/webhooks', ['']),
    ...of('webhooks.events', '/webhooks/events', logs),
    ...of('webhooks.eventsOf', `/webhooks/${webhookId}/events`, logs),
    ...of('webhooks.deliveries', `/webhooks/${webhookId}/deliveries`, [
      '',
      ...statusesOf(contract.webhooks.deliveries),
    ]),
    ...of('feedback.list', '/feedback', ['limit=50', 'limit=50&offset=100']),
    ...of('feedback.comments', `/feedback/${feedbackId}/comments`, ['']),
    ...of('feedback.queue', '/admin/feedback', ['', ...statusesOf(contract.feedback.queue)], {
      by: 'operator',
    }),
    ...of('operations.jobs', '/admin/jobs', [''], { by: 'operator' }),
    ...of('organization.members', '/org/members', ['']),
    ...of('organization.invites', '/org/invites', ['']),
    ...of('organization.audit', '/org/audit', ['', 'action=key.created', `userId=${world.owner.id}`]),
    ...of('workspaces.list', '/workspaces', ['']),
    ...of('workspaces.list', '/workspaces', [''], { by: 'guestless' }),
    ...of('workspaces.members', `/workspaces/${workspaceId}/members`, ['']),
    ...of('apiKeys.list', '/api-keys', ['']),
    ...of('models.list', '/models', ['', 'format=openai']),
    ...of('modelProviders.list', '/model-providers', ['']),
    ...of('quotas.list', '/org/quotas', ['']),
    ...of('quotas.organizations', '/admin/organizations', ['', 'search=org'], { by: 'operator' }),
    ...of('quotas.listOf', `/admin/organizations/${world.owner.orgId}/quotas`, [''], { by: 'operator' }),
    ...of('security.overview', '/auth/security', ['']),
  ]
}
