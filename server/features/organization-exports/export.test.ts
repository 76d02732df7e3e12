import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listTenantTables } from '../../database/tenant-tables.ts'
import { upload } from '../../testing/factories/uploads.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../testing/test-app.ts'
import { unzip } from '../../testing/unzip.ts'
import { exportedColumns, isExported, NOT_EXPORTED, withheldColumns } from './columns.ts'
import { exportSchedules } from './jobs.ts'

const DAY_S = 86_400
const PATIENCE = { timeout: 30_000, interval: 50 }

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

const contentOf = (orgId: string, id: string) => `/api/v1/admin/organizations/${orgId}/exports/${id}/content`

async function fetchBytes(path: string, headers: Headers) {
  const response = await fetch(app.url + path, { headers })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

async function made(orgId: string) {
  const { organizationExports } = app.as(await asOperator())
  const { id } = await organizationExports.createOf({ id: orgId })
  const read = async () =>
    (await organizationExports.listOf({ id: orgId })).items.find((item) => item.id === id)!
  await expect.poll(async () => (await read()).status, PATIENCE).toBe('ready')
  return read()
}

describe('an export', () => {
  test('contains everything of the organization, nothing of another and no secret', async () => {
    const [subject, other] = [await tenant('Ruby'), await tenant('Opal')]
    const ready = await made(subject.org.id)
    expect(ready).toMatchObject({ byOperator: true, progress: { files: 1, filesTotal: 1 }, error: null })
    const log = app.sql`select from events where org_id = ${subject.org.id} and type = 'organization.exported'`
    expect(await log).toHaveLength(1)
    const { status, headers, bytes } = await fetchBytes(
      contentOf(subject.org.id, ready.id),
      await asOperator(),
    )
    expect([status, headers.get('content-type'), bytes.length]).toEqual([200, 'application/zip', ready.bytes])
    const entries = new Map([...unzip(bytes)].map(([name, content]) => [name, content.toString()]))
    const manifest = JSON.parse(entries.get('manifest.json')!)
    expect(manifest).toMatchObject({ organization: { id: subject.org.id, name: 'Ruby Inc' }, files: 1 })

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

    const all = [...entries].map(([name, content]) => `${name}\n${content}`).join('\n')
    expect(all).not.toContain('Opal')
    expect(all).not.toContain(other.org.id)
    for (const secret of [subject.hook.secret, subject.key.key, 'secret-of-the-provider'])
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

  test('is downloadable in parts by an operator for 7 days, and recorded in the audit log of the organization', async () => {
    const { org, client } = await tenant('Jade')
    const { id, bytes, expiresAt } = await made(org.id)
    const part = await fetchBytes(contentOf(org.id, id), { ...(await asOperator()), range: 'bytes=0-3' })
    expect([part.status, part.bytes.toString('latin1')]).toEqual([206, 'PK\x03\x04'])
    expect(part.headers.get('content-range')).toBe(`bytes 0-3/${bytes}`)
    const { items } = await client.organization.audit({ action: 'organization.export-downloaded' })
    expect(items).toMatchObject([{ actor: { id: operator.person.id } }])
    expect(Date.parse(expiresAt!) - app.clock.now().getTime()).toBeLessThanOrEqual(7 * DAY_S * 1000)
    app.clock.advance(7 * DAY_S)
    expect((await fetchBytes(contentOf(org.id, id), await asOperator())).status).toBe(404)
    await app.app.system().enqueue(exportSchedules[0]!.job, {})
    await expect
      .poll(() => app.sql`select status, object_key from organization_exports where id = ${id}`, PATIENCE)
      .toEqual([{ status: 'expired', object_key: null }])
    expect(await app.sql`select from objects where org_id = ${org.id}`).toHaveLength(1)
  })

  test('of another organization cannot be reached by its link', async () => {
    const [subject, stranger] = [await tenant('Onyx'), await tenant('Agate')]
    const { id } = await made(subject.org.id)
    const statusOf = async (path: string, headers: Headers) => (await fetchBytes(path, headers)).status
    // By an operator: not even the owner of the organization lists it.
    expect(await statusOf(`/api/v1/org/exports/${id}/content`, subject.headers)).toBe(404)
    expect((await subject.client.organizationExports.list()).items).toEqual([])
    expect(await statusOf(contentOf(stranger.org.id, id), await asOperator())).toBe(404)
    expect(await statusOf(contentOf(subject.org.id, id), stranger.headers)).toBe(403)
    expect(await statusOf(contentOf(subject.org.id, id), subject.headers)).toBe(403)
    const key = bearer(await app.key(operator.person))
    expect(await statusOf(contentOf(subject.org.id, id), key)).toBe(403)
    expect(await statusOf(contentOf(subject.org.id, id), {})).toBe(401)

    // An owner exports their own organization, and no other caller can read that export.
    const own = await stranger.client.organizationExports.create()
    await expect(stranger.client.organizationExports.create()).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect
      .poll(async () => (await stranger.client.organizationExports.list()).items[0]!.status, PATIENCE)
      .toBe('ready')
    const path = `/api/v1/org/exports/${own.id}/content`
    expect(await statusOf(path, stranger.headers)).toBe(200)
    expect(await statusOf(path, subject.headers)).toBe(404)
    const admin = await app.person(stranger.org, { role: 'admin' })
    expect(await statusOf(path, cookie(await app.session(admin)))).toBe(403)
  })
})

test('every column of bytes, or with the name of a secret, is withheld or listed here', async () => {
  const tables = (await listTenantTables(app.sql)).filter(isExported)
  const suspicious = tables.flatMap((table) => {
    const exported = exportedColumns(table)
    return table.columns
      .filter(({ name }) => exported.includes(name))
      .filter(({ name, type }) => type === 'bytea' || (TEXTS.includes(type) && SECRET.test(name)))
      .map(({ name }) => `${table.name}.${name}`)
  })
  expect(suspicious.toSorted()).toEqual(EXPORTED)
  const names = new Set((await listTenantTables(app.sql)).map(({ name }) => name))
  expect(Object.keys(NOT_EXPORTED).filter((name) => !names.has(name))).toEqual([])
})

const TEXTS = ['text', 'json', 'jsonb', 'text[]']
const SECRET = /hash|seal|secret|token|password|challenge|verifier|nonce/
const EXPORTED = [
  ...['connector_events.body', 'events.body', 'file_versions.sha256', 'files.sha256'],
  'skill_files.content',
]
