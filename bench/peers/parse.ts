import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CONNECTIONS } from '../compare.ts'
import { freePort } from '../program.ts'
import { EVENT, FILE, FILE_TYPE, type Peer, PROJECT, PROJECTS } from './peer.ts'
import { type Installation, readPackageVersion, requestJson, startPeer } from './start-peer.ts'

const APP_HEADERS = { 'x-parse-application-id': 'bench' }
const MASTER_HEADERS = { ...APP_HEADERS, 'x-parse-master-key': 'a master key of a benchmark' }
const BATCH = 50
const ROLE_ACL = { 'role:team': { read: true, write: true } }

/** Parse Server has no webhooks without code. */
const CLOUD_CODE = `Parse.Cloud.define('receive', async ({ params }) => {
  const received = new Parse.Object('Received', { body: params })
  await received.save(null, { useMasterKey: true })
  return received.id
})
`

/** Callers have sessions and the role that may read projects. */
export async function startParse({ packages, folder, connection }: Installation): Promise<Peer> {
  const data = join(folder, 'parse')
  await mkdir(data)
  await writeFile(join(data, 'cloud.cjs'), CLOUD_CODE)
  const port = await freePort()
  const config = {
    appId: 'bench',
    masterKey: MASTER_HEADERS['x-parse-master-key'],
    databaseURI: `postgres://localhost/${connection.database}`,
    // The URL can't contain the socket and the password.
    databaseOptions: connection,
    host: '127.0.0.1',
    port,
    mountPath: '/parse',
    serverURL: `http://127.0.0.1:${port}/parse`,
    cloud: join(data, 'cloud.cjs'),
    filesAdapter: { module: '@parse/fs-files-adapter', options: { filesSubDirectory: 'bench' } },
    logsFolder: join(data, 'logs'),
    enableAnonymousUsers: false,
  }
  await writeFile(join(data, 'config.json'), JSON.stringify(config))
  const program = await startPeer({
    command: [join(packages, 'node_modules/parse-server/bin/parse-server'), join(data, 'config.json')],
    folder: data,
    env: { NODE_ENV: 'production' },
    url: `http://127.0.0.1:${port}`,
    health: '/parse/health',
  })
  const call = (method: string, path: string, body: unknown) =>
    requestJson(`${program.url}/parse${path}`, method, MASTER_HEADERS, body)

  const signedIn = { requiresAuthentication: true }
  await call('POST', '/schemas/Project', {
    className: 'Project',
    fields: {
      name: { type: 'String' },
      description: { type: 'String' },
      status: { type: 'String' },
      tags: { type: 'Array' },
    },
    classLevelPermissions: { find: signedIn, get: signedIn, create: signedIn, update: signedIn },
  })
  await call('POST', '/schemas/Received', { className: 'Received', fields: { body: { type: 'Object' } } })
  const users = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, n) =>
      requestJson(`${program.url}/parse/users`, 'POST', APP_HEADERS, {
        username: `caller-${n}`,
        password: 'correct horse battery staple',
      }),
    ),
  )
  await call('POST', '/roles', {
    name: 'team',
    ACL: { '*': { read: true } },
    users: {
      __op: 'AddRelation',
      objects: users.map(({ objectId }) => ({ __type: 'Pointer', className: '_User', objectId })),
    },
  })
  const record = (n: number | string) => ({
    ...PROJECT,
    name: PROJECT.name.replace('#', String(n)),
    status: 'active',
    tags: ['common'],
    ACL: ROLE_ACL,
  })
  let projectId = ''
  for (let n = 0; n < PROJECTS; n += BATCH) {
    const created = await Promise.all(
      Array.from({ length: BATCH }, (_, index) => call('POST', '/classes/Project', record(n + index))),
    )
    projectId = created[0].objectId
  }

  const headersOf = (caller: number, type = 'application/json') => ({
    ...APP_HEADERS,
    'x-parse-session-token': users[caller]!.sessionToken as string,
    'content-type': type,
  })
  const get = (path: string) => (caller: number) => ({
    method: 'GET' as const,
    path: `/parse/classes/Project${path}`,
    headers: headersOf(caller),
  })
  const post = (path: string, body: string, type?: string) => (caller: number) => ({
    method: 'POST' as const,
    path: `/parse${path}`,
    headers: headersOf(caller, type),
    body,
  })
  return {
    name: 'Parse Server',
    version: await readPackageVersion(packages, 'parse-server'),
    program,
    requests: {
      read: get(`/${projectId}`),
      list: get('?limit=50&order=-createdAt'),
      create: post('/classes/Project', JSON.stringify(record('#'))),
      upload: post('/files/bench.wav', FILE, FILE_TYPE),
      receive: () => ({
        method: 'POST',
        path: '/parse/functions/receive',
        headers: { ...APP_HEADERS, 'content-type': 'application/json' },
        body: EVENT,
      }),
    },
  }
}
