import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { socketUrl } from '../../testing/database.ts'
import { bearer, buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { unzip } from '../../testing/unzip.ts'
import * as commands from './run.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  vi.stubEnv('DATABASE_URL', socketUrl(app.connection))
  vi.stubEnv('ATRIUM_DATA', app.dataFolder)
  vi.stubEnv('ATRIUM_SECRET', 'a secret for tests, long enough to be one')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await app.close()
})

async function outputOf(command: () => Promise<void>): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  try {
    await command()
    return write.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    write.mockRestore()
  }
}

test('atrium-server orgs lists, suspends, resumes, exports and erases beside a running server', async () => {
  const org = await app.organization('Evil \u001b[31mGmbH')
  const person = await app.person(org, { role: 'owner' })
  const headers = bearer(await app.key(person))
  const statusOf = async () => (await app.request('GET', '/api/v1/org', { headers })).status
  const options = { sort: 'name', limit: '50' }

  const table = await outputOf(() => commands.list(options))
  expect(table).toContain(`${org.id}  Evil  [31mGmbH  active`)
  expect(table).not.toContain('\u001b')
  const listed = JSON.parse(await outputOf(() => commands.list({ ...options, search: org.id, json: true })))
  expect(listed).toMatchObject([{ id: org.id, status: 'active' }])
  await expect(commands.list({ ...options, sort: 'size' })).rejects.toThrow('--sort')
  await expect(commands.suspendOrganization('x', 'Unpaid')).rejects.toThrow('is not an organization ID')

  await outputOf(() => commands.suspendOrganization(org.id, 'Unpaid'))
  await expect.poll(statusOf).toBe(403)
  const folder = await mkdtemp(join(tmpdir(), 'atrium-orgs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'export.zip')
  const { signal } = new AbortController()
  expect(await outputOf(() => commands.exportOrganization(org.id, file, signal))).toContain(
    'rows and 0 files',
  )
  expect(unzip(await readFile(file)).has('manifest.json')).toBe(true)
  await expect(commands.exportOrganization(org.id, file, signal)).rejects.toMatchObject({ code: 'EEXIST' })
  await outputOf(() => commands.resumeOrganization(org.id))
  await expect.poll(statusOf).toBe(200)

  await expect(commands.eraseOrganization(org.id, 'Evil')).rejects.toThrow('must be the organization’s name')
  expect(await outputOf(() => commands.eraseOrganization(org.id, org.name))).toContain(
    `orgs undo-erase ${org.id}`,
  )
  await expect.poll(statusOf).toBe(403)
  await outputOf(() => commands.undoErasure(org.id))
  await expect.poll(statusOf).toBe(200)
  const [erasure] = JSON.parse(await outputOf(() => commands.listErasures()))
  expect(erasure).toMatchObject({
    organizationId: org.id,
    status: 'canceled',
    byOperator: true,
    requestedBy: null,
  })
  const audit =
    await app.sql`select distinct action from audit where org_id = ${org.id} and via = 'system' order by 1`
  expect(audit.map(({ action }) => action)).toEqual([
    'organization.erasure-canceled',
    'organization.erasure-requested',
    'organization.export-requested',
    'organization.resumed',
    'organization.suspended',
  ])
})
