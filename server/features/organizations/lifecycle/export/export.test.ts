import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listTenantTables } from '../../../../database/tenant-tables.ts'
import { newId } from '../../../../security/ids.ts'
import type { ObjectStore } from '../../../../storage/object-store.ts'
import { storedFiles, upload, uploadVersion } from '../../../../testing/factories/uploads.ts'
import { preventRemovals } from '../../../../testing/locks.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../../../testing/test-app.ts'
import { unzip } from '../../../../testing/unzip.ts'
import { exportedColumns, isExported, NOT_EXPORTED, withheldColumns } from './columns.ts'
import { exportJobs, exportSchedules, makeExport } from './jobs.ts'

const DAY_S = 86_400
const TIMEOUTS = { timeout: 30_000, interval: 50 }

let app: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  operator = await app.operator()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

/** Creates a session for each call: its step-up is recent after the clock has advanced. */
const asOperator = async (): Promise<Headers> => cookie(await app.session(operator.person))

async function tenant(word: string) {
  const org = await app.organization(`${word} Inc`)
  const person = await app.person(org, { role: 'owner', name: `${word} Person` })
  const headers = cookie(await app.session(person))
  const client = app.as(headers)
  const project = await client.projects.create({ name: `${word} project` })
  await client.canvas.create({ projectId: project.id, type: 'note', content: `${word} note` })
  const file = await upload(app, headers, `${word} contents`, { name: `${word}.txt` })
  const hook = await client.webhooks.create({ name: `${word} hook` })
  const key = await client.apiKeys.create({ name: `${word} key` })
  const provider = await client.modelProviders.create({
    ...{ kind: 'openai', name: 'x', slug: 'p', apiKey: `sk-${word}-secret-of-the-provider` },
  })
  return {
    org,
    person,
    headers,
    client,
    project,
    fileId: fileIdOf(file.body),
    hook,
    key,
    provider,
  }
}

const fileIdOf = ({ data }: { data: { id?: string; file?: { id: string } } }) => data.id ?? data.file!.id

const contentPathOf = (orgId: string, id: string) =>
  `/api/v1/admin/organizations/${orgId}/exports/${id}/content`

async function fetchBytes(path: string, headers: Headers) {
  const response = await fetch(app.url + path, { headers })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

async function createReadyExport(orgId: string) {
  const { organizationExports } = app.as(await asOperator())
  const { id } = await organizationExports.createOf({ id: orgId })
  const read = async () =>
    (await organizationExports.listOf({ id: orgId })).items.find((item) => item.id === id)!
  await expect.poll(async () => (await read()).status, TIMEOUTS).toBe('ready')
  return read()
}

describe('organization export', () => {
  test('contains everything in the organization, nothing from another and no secret', async () => {
    const [subject, other] = [await tenant('Ruby'), await tenant('Opal')]
    const feedback = await subject.client.feedback.submit({ message: 'Ruby breaks' })
    await app
      .as(await asOperator())
      .feedback.handle({ id: feedback.id, status: 'linked', taskId: 'T-1', note: 'A note of an operator' })
    const versionsFile = (await upload(app, subject.headers, 'first', { name: 'versions' })).body
    await uploadVersion(app, subject.headers, fileIdOf(versionsFile), 'second', { name: 'versions' })
    const { id: dotsFileId } = await subject.client.files.update({
      id: fileIdOf((await upload(app, subject.headers, 'up')).body),
      name: '..',
    })
    const ready = await createReadyExport(subject.org.id)
    expect(ready).toMatchObject({ byOperator: true, progress: { files: 4, filesTotal: 4 }, error: null })
    const log = app.sql`select from events where org_id = ${subject.org.id} and type = 'organization.exported'`
    expect(await log).toHaveLength(1)
    const { status, headers, bytes } = await fetchBytes(
      contentPathOf(subject.org.id, ready.id),
      await asOperator(),
    )
    expect([status, headers.get('content-type'), bytes.length]).toEqual([200, 'application/zip', ready.bytes])
    const entries = new Map([...unzip(bytes)].map(([name, content]) => [name, content.toString()]))
    const manifest = JSON.parse(entries.get('manifest.json')!)
    expect(manifest).toMatchObject({ organization: { id: subject.org.id, name: 'Ruby Inc' }, files: 4 })

    const tables = (await listTenantTables(app.sql)).filter(isExported)
    expect(Object.keys(manifest.tables).toSorted()).toEqual(
      ['users', ...tables.map(({ name }) => name)].toSorted(),
    )
    const linesOf = (name: string) =>
      (entries.get(`tables/${name}.jsonl`) ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    for (const { name } of tables) {
      expect([name, linesOf(name).length]).toEqual([name, manifest.tables[name]])
      expect(linesOf(name).filter(({ org_id }) => org_id !== subject.org.id)).toEqual([])
    }
    expect(linesOf('users')).toMatchObject([{ id: subject.person.id, name: 'Ruby Person' }])
    expect(linesOf('blocks')).toMatchObject([{ content: 'Ruby note' }])
    expect(linesOf('audit').length).toBeGreaterThan(3)
    expect(entries.get(`files/${subject.fileId}/Ruby.txt`)).toBe('Ruby contents')
    // No path leads out of its folder, or is both a file and a folder.
    expect(entries.get(`files/${dotsFileId}/__`)).toBe('up')
    expect(entries.get(`files/${fileIdOf(versionsFile)}/versions (2)`)).toBe('second')
    expect(entries.get(`files/${fileIdOf(versionsFile)}/versions/1/versions`)).toBe('first')

    const all = [...entries].map(([name, content]) => `${name}\n${content}`).join('\n')
    expect(all).not.toContain('Opal')
    expect(all).not.toContain(other.org.id)
    for (const secret of [
      subject.hook.secret,
      subject.key.key,
      'secret-of-the-provider',
      'note of an operator',
    ])
      expect(all).not.toContain(secret)
    for (const table of tables) {
      const withheld = withheldColumns(table)
      if (withheld.length === 0) continue
      const rows = await app.sql`
        select ${app.sql(withheld)} from ${app.sql(table.name)} where org_id = ${subject.org.id}`
      const values = rows.flatMap((row) => Object.values(row)).filter((value) => value !== null)
      for (const value of values) {
        const text = Buffer.isBuffer(value) ? value.toString('hex') : JSON.stringify(value).slice(1, -1)
        if (text.length >= 8) expect(all.includes(text), `${table.name}: ${text.slice(0, 8)}…`).toBe(false)
      }
    }
  })

  test('can be downloaded in parts by an operator for 7 days, with an audit entry', async () => {
    const { org } = await tenant('Jade')
    const { id, bytes, expiresAt } = await createReadyExport(org.id)
    const downloads = () =>
      app.sql`select user_id as by from audit where org_id = ${org.id} and action = 'organization.export-downloaded'`
    // A range without the first byte, an invalid one, which returns everything, and one from the first byte.
    for (const range of ['bytes=1-3', 'bytes=5-2', 'bytes=0-3']) {
      const part = await fetchBytes(contentPathOf(org.id, id), { ...(await asOperator()), range })
      const expected = { 'bytes=1-3': [206, 3], 'bytes=5-2': [200, bytes], 'bytes=0-3': [206, 4] }[range]
      expect([part.status, part.bytes.length]).toEqual(expected)
      expect(await downloads()).toEqual([{ by: operator.person.id }])
    }
    app.clock.advance(3600)
    await fetchBytes(contentPathOf(org.id, id), { ...(await asOperator()), range: 'bytes=1-' })
    expect(await downloads()).toHaveLength(2)
    expect(Date.parse(expiresAt!) - app.clock.now().getTime()).toBeLessThanOrEqual(7 * DAY_S * 1000)
    app.clock.advance(7 * DAY_S)
    expect((await fetchBytes(contentPathOf(org.id, id), await asOperator())).status).toBe(404)
    await app.app.system().enqueue(exportSchedules[0]!.job, {})
    await expect
      .poll(() => app.sql`select status, object_key from organization_exports where id = ${id}`, TIMEOUTS)
      .toEqual([{ status: 'expired', object_key: null }])
    expect(await app.sql`select from objects where org_id = ${org.id}`).toHaveLength(1)
  })

  test('cannot be reached by link from another organization', async () => {
    const [subject, stranger] = [await tenant('Onyx'), await tenant('Agate')]
    const { id } = await createReadyExport(subject.org.id)
    const statusOf = async (path: string, headers: Headers) => (await fetchBytes(path, headers)).status
    // The export of an operator: even the owner of the organization can neither download nor list it.
    expect(await statusOf(`/api/v1/org/exports/${id}/content`, subject.headers)).toBe(404)
    expect((await subject.client.organizationExports.list()).items).toEqual([])
    expect(await statusOf(contentPathOf(stranger.org.id, id), await asOperator())).toBe(404)
    expect(await statusOf(contentPathOf(subject.org.id, id), stranger.headers)).toBe(403)
    expect(await statusOf(contentPathOf(subject.org.id, id), subject.headers)).toBe(403)
    const key = bearer(await app.key(operator.person))
    expect(await statusOf(contentPathOf(subject.org.id, id), key)).toBe(403)
    expect(await statusOf(contentPathOf(subject.org.id, id), {})).toBe(401)

    // An owner exports their own organization, and no other caller can read that export.
    const own = await stranger.client.organizationExports.create()
    await expect(stranger.client.organizationExports.create()).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect
      .poll(async () => (await stranger.client.organizationExports.list()).items[0]!.status, TIMEOUTS)
      .toBe('ready')
    const path = `/api/v1/org/exports/${own.id}/content`
    expect(await statusOf(path, stranger.headers)).toBe(200)
    expect(await statusOf(path, subject.headers)).toBe(404)
    const admin = await app.person(stranger.org, { role: 'admin' })
    expect(await statusOf(path, cookie(await app.session(admin)))).toBe(403)
  })
})

/** Runs a job in this process, with some methods of the object store replaced. */
const runJob = (name: string, payload: unknown, objects: Partial<ObjectStore> = {}) => {
  const ctx = app.app.system()
  const { run } = exportJobs.find(({ job }) => job.name === name)!
  return run({ ...ctx, objects: { ...ctx.objects, ...objects } }, payload as never)
}

describe('export archive', () => {
  test('is removed if the organization is erased during storage; only the newest three stay', async () => {
    const { org, person } = await tenant('Beryl')
    const exportId = newId()
    await app.sql`
      insert into organization_exports (org_id, id, status, requested_by, by_operator, requested_at)
      values (${org.id}, ${exportId}, 'queued', ${person.id}, false, ${app.clock.now()})`
    const { objects } = app.app.system()
    // Deletes the rows as an erasure does while a bucket receives the parts of an object.
    const put: ObjectStore['put'] = async (key, content) => {
      await app.sql`delete from organization_exports where org_id = ${org.id}`
      await app.sql`delete from objects where key = ${key}`
      await objects.put(key, content)
    }
    await runJob(makeExport.name, { exportId, subjectId: org.id }, { put })
    expect(await storedFiles(app, org.id)).toBe(1)

    for (let n = 0; n < 4; n++) await createReadyExport(org.id)
    const statuses = () =>
      app.sql`select status from organization_exports where org_id = ${org.id} order by id`
    await expect
      .poll(async () => (await statuses()).map(({ status }) => status), TIMEOUTS)
      .toEqual(['expired', 'ready', 'ready', 'ready'])
    expect(await storedFiles(app, org.id)).toBe(1 + 3)
  })

  test('stays while a backup needs it; an export with a lost job does not block the next', async () => {
    const { org, person } = await tenant('Topaz')
    await createReadyExport(org.id)
    await app.sql`
      insert into organization_exports (org_id, id, status, requested_by, by_operator, requested_at)
      values (${org.id}, ${newId()}, 'running', ${person.id}, false, ${app.clock.now()})`
    app.clock.advance(7 * DAY_S)
    const endBackup = await preventRemovals(app)
    await runJob(exportSchedules[0]!.job.name, {})
    expect(await storedFiles(app, org.id)).toBe(2)
    await endBackup()
    await runJob(exportSchedules[0]!.job.name, {})
    expect(await storedFiles(app, org.id)).toBe(1)
    const owner = await app.withSession(person)
    expect((await owner.organizationExports.list()).items).toMatchObject([{ status: 'failed' }])
    expect(await owner.organizationExports.create()).toMatchObject({ status: 'queued' })
  })
})

test('every byte column or column named like a secret is withheld or listed here', async () => {
  const tables = (await listTenantTables(app.sql)).filter(isExported)
  const suspicious = tables.flatMap((table) => {
    const exported = exportedColumns(table)
    return table.columns
      .filter(({ name }) => exported.includes(name))
      .filter(({ name, type }) => type === 'bytea' || (TEXT_TYPES.includes(type) && SECRET.test(name)))
      .map(({ name }) => `${table.name}.${name}`)
  })
  expect(suspicious.toSorted()).toEqual(EXPORTED)
  // These columns contain a sealed secret or the hash of a token.
  const withheld = tables.flatMap((table) => withheldColumns(table).map((name) => `${table.name}.${name}`))
  expect(withheld).toEqual(expect.arrayContaining(['app_tokens.successor', 'calls.relay']))
  const names = new Set((await listTenantTables(app.sql)).map(({ name }) => name))
  expect(Object.keys(NOT_EXPORTED).filter((name) => !names.has(name))).toEqual([])
})

const TEXT_TYPES = ['text', 'json', 'jsonb', 'text[]']
const SECRET = /hash|seal|secret|token|password|challenge|verifier|nonce/
const EXPORTED = [
  ...['agent_images.bytes', 'connector_events.body', 'events.body', 'file_versions.sha256', 'files.sha256'],
  'skill_files.content',
]
