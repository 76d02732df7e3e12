import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CONNECTIONS } from '../compare.ts'
import { freePort } from '../program.ts'
import { EVENT, FORM, type Peer, PROJECT, PROJECTS } from './peer.ts'
import { type Installation, readPackageVersion, requestJson, runPeer, startPeer } from './start-peer.ts'

const ADMIN_TOKEN = 'a-token-of-the-administrator'
const tokenOf = (caller: number) => `a-token-of-caller-${caller}`

/** Each caller has a static token and a role that may read and create. */
export async function startDirectus({ packages, folder, connection }: Installation): Promise<Peer> {
  const data = join(folder, 'directus')
  await mkdir(join(data, 'uploads'), { recursive: true })
  const port = await freePort()
  const command = join(packages, 'node_modules/directus/cli.js')
  const env = environment(connection, port)
  await runPeer([command, 'bootstrap'], data, env)
  const program = await startPeer({
    command: [command, 'start'],
    folder: data,
    env,
    url: `http://127.0.0.1:${port}`,
    health: '/server/ping',
  })
  const adminHeaders = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const call = async (method: string, path: string, body: unknown) =>
    (await requestJson(`${program.url}${path}`, method, adminHeaders, body))?.data
  const create = (path: string, body: unknown) => call('POST', path, body)
  await createCollections(create)
  await createCallers(create)
  const flowId = await createFlow(create)
  const { id: operation } = await create('/operations', operationOf(flowId))
  await call('PATCH', `/flows/${flowId}`, { operation })
  const records = Array.from({ length: PROJECTS }, (_, n) => recordOf(String(n)))
  const [firstProject] = await create('/items/projects', records)

  const headersOf = (caller: number, type = 'application/json') => ({
    authorization: `Bearer ${tokenOf(caller)}`,
    'content-type': type,
  })
  const get = (path: string) => (caller: number) => ({
    method: 'GET' as const,
    path: `/items/projects${path}`,
    headers: headersOf(caller),
  })
  return {
    name: 'Directus',
    version: await readPackageVersion(packages, 'directus'),
    program,
    requests: {
      read: get(`/${firstProject.id}`),
      list: get('?limit=50&sort=-date_created'),
      create: (caller) => ({
        method: 'POST',
        path: '/items/projects',
        headers: headersOf(caller),
        body: JSON.stringify(recordOf('#')),
      }),
      upload: (caller) => ({
        method: 'POST',
        path: '/files',
        headers: headersOf(caller, FORM.headers['content-type']),
        body: FORM.body,
      }),
      receive: () => ({
        method: 'POST',
        path: `/flows/trigger/${flowId}`,
        headers: { 'content-type': 'application/json' },
        body: EVENT,
      }),
    },
  }
}

const environment = (
  { host, port, user, password, database }: Installation['connection'],
  ownPort: number,
) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(ownPort),
  PUBLIC_URL: `http://127.0.0.1:${ownPort}`,
  SECRET: 'a secret of a benchmark, long enough to be accepted',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery staple',
  ADMIN_TOKEN,
  DB_CLIENT: 'pg',
  DB_HOST: host,
  DB_PORT: String(port),
  DB_USER: user,
  DB_PASSWORD: password,
  DB_DATABASE: database,
  STORAGE_LOCATIONS: 'local',
  STORAGE_LOCAL_ROOT: './uploads',
  LOG_STYLE: 'raw',
  // With the limiter, Directus answers 503 under this load.
  PRESSURE_LIMITER_ENABLED: 'false',
})

type Create = (path: string, body: unknown) => Promise<{ id: string } & Record<string, unknown>>

async function createCollections(create: Create) {
  const field = (field: string, type: string, special?: string) => ({
    field,
    type,
    meta: special ? { special: [special] } : {},
    schema: {},
  })
  await create('/collections', {
    collection: 'projects',
    meta: {},
    schema: {},
    fields: [
      { ...field('id', 'uuid', 'uuid'), schema: { is_primary_key: true } },
      field('name', 'string'),
      field('description', 'text'),
      field('status', 'string'),
      field('tags', 'json', 'cast-json'),
      field('user_created', 'uuid', 'user-created'),
      field('date_created', 'timestamp', 'date-created'),
      field('date_updated', 'timestamp', 'date-updated'),
    ],
  })
  await create('/collections', {
    collection: 'received',
    meta: {},
    schema: {},
    fields: [
      { ...field('id', 'uuid', 'uuid'), schema: { is_primary_key: true } },
      field('body', 'json', 'cast-json'),
      field('date_created', 'timestamp', 'date-created'),
    ],
  })
}

async function createCallers(create: Create) {
  const { id: policy } = await create('/policies', { name: 'Team', app_access: false, admin_access: false })
  const permissions = ['projects', 'directus_files'].flatMap((collection) =>
    ['read', 'create'].map((action) => ({ policy, collection, action, fields: ['*'] })),
  )
  await create('/permissions', permissions)
  const { id: role } = await create('/roles', { name: 'Team', policies: [{ policy }] })
  const users = Array.from({ length: CONNECTIONS }, (_, n) => ({
    email: `caller-${n}@example.com`,
    token: tokenOf(n),
    status: 'active',
    role,
  }))
  await create('/users', users)
}

/** Without a run log, which is faster. */
async function createFlow(create: Create): Promise<string> {
  const { id: flow } = await create('/flows', {
    name: 'Receive',
    status: 'active',
    trigger: 'webhook',
    accountability: null,
    options: { method: 'POST', async: false, return: '$last' },
  })
  return flow
}

const operationOf = (flow: string) => ({
  flow,
  name: 'Store',
  key: 'store',
  type: 'item-create',
  position_x: 19,
  position_y: 1,
  options: {
    collection: 'received',
    permissions: '$full',
    emitEvents: false,
    payload: { body: '{{$trigger.body}}' },
  },
})

const recordOf = (n: string) => ({
  ...PROJECT,
  name: PROJECT.name.replace('#', n),
  status: 'active',
  tags: ['common'],
})
