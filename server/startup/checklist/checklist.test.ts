import { expect, test } from 'vitest'
import { writeLastBackup } from '../../backup/last-backup.ts'
import { readConfig } from '../../config/config.ts'
import { socketUrl } from '../../testing/database.ts'
import { buildTestApp } from '../../testing/test-app.ts'
import type { Check } from './check.ts'
import { runChecklist } from './checklist.ts'
import { checkConfiguration } from './configuration.ts'

const SECRET = 'a secret for tests, long enough to be one'
const READY = {
  NODE_ENV: 'production',
  ATRIUM_SECRET: SECRET,
  ATRIUM_PUBLIC_URL: 'https://atrium.example.com',
  ATRIUM_TRUSTED_PROXIES: '10.0.0.1',
}
const PROBLEMS: [Record<string, string>, Check['state'], string][] = [
  [{ NODE_ENV: 'development' }, 'warning', 'set NODE_ENV=production'],
  [{ ATRIUM_SECRET: '' }, 'warning', 'store a copy in another place'],
  [{ ATRIUM_PUBLIC_URL: '' }, 'failed', 'ATRIUM_PUBLIC_URL is not set'],
  [{ ATRIUM_PUBLIC_URL: 'http://atrium.example.com' }, 'failed', 'use a TLS proxy'],
  [{ ATRIUM_PUBLIC_URL: 'https://localhost' }, 'failed', 'is this machine'],
  [{ ATRIUM_PUBLIC_URL: 'https://192.0.2.1' }, 'warning', 'use a host name'],
  [{ ATRIUM_PUBLIC_URL: 'https://atrium' }, 'warning', 'has no domain'],
  [{ ATRIUM_TRUSTED_PROXIES: '' }, 'warning', 'ATRIUM_TRUSTED_PROXIES is not set'],
  [{ ATRIUM_TRUSTED_PROXIES: '0.0.0.0/0' }, 'failed', 'any client could claim any IP address'],
  [{ ATRIUM_SMTP_URL: 'smtp://mail.example' }, 'warning', 'set ATRIUM_MAIL_FROM'],
  [{ ATRIUM_SMPT_URL: 'smtp://mail.example' }, 'warning', 'check its spelling'],
]

test('the checklist names each configuration problem with its remedy', () => {
  const findProblems = (env: Record<string, string>) =>
    checkConfiguration(readConfig({ ...READY, ...env })).filter(({ state }) => state !== 'ok')
  expect(findProblems({})).toEqual([])
  for (const [env, state, text] of PROBLEMS) {
    expect(findProblems(env), JSON.stringify(env)).toEqual([
      { name: expect.any(String), state, text: expect.stringContaining(text) },
    ])
  }
})

test('the checklist covers database, secret, clock, email, files, disk and the last backup', async () => {
  const app = await buildTestApp()
  const env = { ...READY, ATRIUM_DATA: app.dataFolder, DATABASE_URL: socketUrl(app.connection) }
  const now = new Date()
  const check = async (changes: Record<string, string> = {}) => {
    const checks = await runChecklist(readConfig({ ...env, ...changes }), now)
    return Object.groupBy(checks, ({ name }) => name)
  }
  const found = (state: Check['state'], text: string) =>
    expect.objectContaining({ state, text: expect.stringContaining(text) })

  const first = await check()
  // The PostgreSQL server of the tests is not durable.
  expect(first.Database).toEqual([
    found('ok', 'PostgreSQL '),
    found('failed', 'fsync or full_page_writes is off'),
    found('warning', 'synchronous_commit is off'),
    found('warning', 'autovacuum is off'),
  ])
  expect(first.Clock).toEqual([found('ok', 'agrees')])
  expect(first.Files).toEqual([found('ok', app.dataFolder)])
  expect(first.Email).toEqual([found('warning', 'is written to')])
  expect(first.Backup).toEqual([found('failed', 'none is recorded')])
  expect(first.Disk).toHaveLength(1)

  const backup = { folder: '/backups/one', bytes: 1, lackingObjects: 0 }
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
  for (const [hours, state] of [
    [200, 'failed'],
    [30, 'warning'],
    [1, 'ok'],
  ] as const) {
    await writeLastBackup(app.sql, { ...backup, createdAt: hoursAgo(hours) })
    expect((await check()).Backup).toEqual([found(state, '/backups/one')])
  }
  await writeLastBackup(app.sql, { ...backup, createdAt: hoursAgo(0), lackingObjects: 2 })
  expect((await check()).Backup).toEqual([found('warning', 'lacks 2 objects')])

  const second = await check({
    ATRIUM_SECRET: SECRET.toUpperCase(),
    ATRIUM_SMTP_URL: 'smtp://127.0.0.1:9',
    ATRIUM_MAIL_FROM: 'Atrium <a@example.com>',
    ATRIUM_OBJECTS: 's3://bucket?endpoint=http://127.0.0.1:9&region=us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  })
  expect(second.Secret).toContainEqual(found('failed', 'secret is not the installation’s'))
  expect(second.Email).toEqual([found('failed', 'check ATRIUM_SMTP_URL')])
  expect(second.Files).toEqual([found('failed', 'bucket')])
  expect((await check({ DATABASE_URL: 'postgres://atrium@127.0.0.1:9/atrium' })).Database).toEqual([
    found('failed', 'cannot be reached'),
  ])
  await app.close()
})
