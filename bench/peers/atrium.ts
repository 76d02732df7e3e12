import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seedManyProjects } from '../../server/testing/factories/many-projects.ts'
import type { openBenchDatabase } from '../bench-database.ts'
import { CONNECTIONS } from '../compare.ts'
import { startServer } from '../program.ts'
import { insertBenchWebhook } from '../seeds/insert-bench-webhook.ts'
import { EVENT, FORM, type Peer, PROJECT, PROJECTS } from './peer.ts'

type BenchDatabase = Awaited<ReturnType<typeof openBenchDatabase>>

/**
 * API and worker in one process, as `npm start` runs them. Callers who create projects have their own organization,
 * because an organization counts creations against its quota one at a time.
 */
export async function startAtrium(database: BenchDatabase): Promise<Peer> {
  const { sql, organization, person, key, connection } = database
  const org = await organization()
  const owner = await person(org, { role: 'owner' })
  const callers = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => ({
      key: (await key(await person(org), ['files:write'])).key,
      webhook: await insertBenchWebhook(sql, owner, null),
      creatorKey: (await key(await person(await organization()))).key,
    })),
  )
  await seedManyProjects(sql, owner, { count: PROJECTS, workspaceIds: [org.workspaceId] })
  await sql`update projects set description = ${PROJECT.description}`
  await sql`vacuum analyze`
  const [firstProject] = await sql<{ id: string }[]>`select id from projects limit 1`

  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const folder = join(database.folder, 'atrium')
  await mkdir(folder)
  const program = await startServer(connection, folder, {
    ATRIUM_ROLE: 'all',
    ATRIUM_OLLAMA_URL: 'off',
  })
  const headersOf = (caller: number, type = 'application/json') => ({
    authorization: `Bearer ${callers[caller]!.key}`,
    'content-type': type,
  })
  const get = (path: string) => (caller: number) => ({
    method: 'GET' as const,
    path: `/api/v1/projects${path}`,
    headers: headersOf(caller),
  })
  return {
    name: 'Atrium',
    version,
    program,
    requests: {
      read: get(`/${firstProject!.id}`),
      list: get('?limit=50'),
      create: (caller) => ({
        method: 'POST',
        path: '/api/v1/projects',
        headers: { ...headersOf(caller), authorization: `Bearer ${callers[caller]!.creatorKey}` },
        body: JSON.stringify(PROJECT),
      }),
      upload: (caller) => ({
        method: 'POST',
        path: '/api/v1/files',
        headers: headersOf(caller, FORM.headers['content-type']),
        body: FORM.body,
      }),
      receive: (caller) => ({
        method: 'POST',
        path: `/api/v1/webhooks/receive/${callers[caller]!.webhook.id}`,
        headers: {
          authorization: `Bearer ${callers[caller]!.webhook.secret}`,
          'content-type': 'application/json',
        },
        body: EVENT,
      }),
    },
  }
}
