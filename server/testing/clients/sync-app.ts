import type { SourceKind } from '../../../contract/knowledge/source-options.ts'
import { insertConnection } from '../factories/connections.ts'
import { type SyncService, startSyncService } from '../fakes/sync-services.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'

export const SYNC_SETTINGS = {
  github: () => ({ repository: 'acme/handbook' }),
  website: (url: string) => ({ url }),
  notion: () => ({}),
  google_drive: () => ({ folderId: 'rootfolder' }),
  dropbox: () => ({ path: '/Handbook' }),
  confluence: () => ({ spaceKey: 'DOCS' }),
  sharepoint: () => ({ url: 'https://acme.sharepoint.com/:f:/s/Team/abc' }),
} satisfies Record<SourceKind, (url: string) => Record<string, unknown>>

const SLUGS: Partial<Record<SourceKind, string>> = { google_drive: 'google-drive', website: undefined }

export type SyncApp = Awaited<ReturnType<typeof buildSyncApp>>

/** An app whose connectors and websites are on loopback. */
export async function buildSyncApp(kinds: SourceKind[], settings: Record<string, string> = {}) {
  const services = new Map<SourceKind, SyncService>()
  for (const kind of kinds) services.set(kind, await startSyncService(kind))
  const urls = kinds.map((kind) => [`ATRIUM_CONNECTOR_${kind.toUpperCase()}_URL`, services.get(kind)!.url])
  const env = { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ...Object.fromEntries(urls), ...settings }
  const app = await buildTestApp({ env })
  await app.app.startWorker()
  return {
    ...app,
    env,
    service: (kind: SourceKind) => services.get(kind)!,
    async closeAll(): Promise<void> {
      await app.close()
      for (const service of services.values()) await service.close()
    },
  }
}

type User = Awaited<ReturnType<TestApp['newUser']>>

/** A source in a project of its own, after its first sync. */
export async function createSource(app: SyncApp, kind: SourceKind, user?: User) {
  const owner = user ?? (await app.newUser({ role: 'owner' }))
  const { person } = owner
  const client = await app.withSession(person)
  const project = await app.project(person)
  const connectionId = kind === 'website' ? undefined : await connect(app, person, kind)
  const source = await client.sources.create({
    projectId: project.id,
    kind,
    settings: SYNC_SETTINGS[kind](app.service(kind).url),
    ...(connectionId !== undefined && { connectionId }),
    name: 'Handbook',
    confirmReaders: true,
  })
  return { ...owner, client, project, source, connectionId }
}

export async function connect(app: SyncApp, person: User['person'], kind: SourceKind): Promise<string> {
  const id = await insertConnection(app, person, SLUGS[kind] ?? kind)
  if (kind === 'confluence') await app.sql`update connections set kept = '{"cloudId": "c1"}' where id = ${id}`
  return id
}

const POLL_MS = 30
const POLLS_MAX = 600

/** Polls until the source has nothing to do. */
export async function untilQuiet(app: SyncApp, client: User['client'], id: string) {
  for (let polls = 0; ; polls++) {
    const source = await client.sources.get({ id })
    const isEnded = source.state === 'failing' || (source.state === 'waiting' && source.lastSyncedAt !== null)
    if (isEnded && source.nextSyncAt! > app.clock.now().toISOString()) return source
    if (source.state === 'paused' || source.state === 'off') return source
    if (polls > POLLS_MAX) throw new Error(`The source is still ${JSON.stringify(source)}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

export async function syncAgain(app: SyncApp, client: User['client'], id: string) {
  await client.sources.sync({ id })
  return untilQuiet(app, client, id)
}

/** Path in the source's folder → text. Duplicates have a number. */
export async function readFolder({ sql, app }: SyncApp, folderId: string): Promise<Record<string, string>> {
  const rows = await sql<{ path: string; key: string }[]>`
    select concat_ws('/', (
        select string_agg(a.name, '/' order by step.depth) from unnest(p.path) with ordinality step (id, depth)
        join files a on a.org_id = f.org_id and a.id = step.id
        where step.depth > (select cardinality(path) from folders where id = ${folderId})), f.name) as path, f.object_key as key
    from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where p.path @> array[${folderId}]::uuid[] and f.source = 'upload' and f.deleted_at is null and p.trashed_by is null`
  const found: Record<string, string> = {}
  for (const { path, key } of rows) {
    const chunks: Buffer[] = []
    for await (const chunk of (await app.system().objects.get(key))!) chunks.push(chunk as Buffer)
    const name = path in found ? `${path} (again)` : path
    found[name] = Buffer.concat(chunks).toString()
  }
  return Object.fromEntries(Object.entries(found).toSorted())
}
