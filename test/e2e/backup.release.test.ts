import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitForBlockedBackends, whileLocked } from '../../server/testing/locks.ts'
import { type AtriumProcess, openEmbedded, startAtrium } from './atrium-process.ts'
import { createInstallations, OWNER } from './installations.ts'

const ROOT = join(import.meta.dirname, '../..')
const installation = createInstallations()

let parent: string
let dataFolder: string
let target: string
let running: AtriumProcess[] = []

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
  dataFolder = join(parent, 'data')
  target = join(parent, 'backups/today')
  await installation.copyTo(dataFolder)
})
afterEach(async () => {
  for (const atrium of running) await atrium.stop()
  running = []
})
afterAll(() => rm(parent, { recursive: true }))

/** Runs a command of `atrium-server`. */
function runCommand(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, ['server/atrium-server.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ATRIUM_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, output: () => output }
}

async function start(folder: string) {
  const atrium = await startAtrium({ dataFolder: folder, env: { ATRIUM_LOG_LEVEL: 'error' } })
  running.push(atrium)
  return atrium
}

test('the embedded database is backed up while its server runs, and a killed backup is seen as incomplete', async () => {
  await start(dataFolder)
  const status = runCommand(dataFolder, 'status', '--json')
  await status.ended
  expect(JSON.parse(status.output())).toMatchObject({
    jobs: { workers: 1 },
    processes: [{ role: 'all', isAlive: true, rssBytes: expect.any(Number) }],
  })
  const sql = await openEmbedded(dataFolder)
  const draft = await whileLocked(sql, 'voice_tasks', async () => {
    const killed = runCommand(dataFolder, 'backup', target)
    await waitForBlockedBackends(sql)
    killed.child.kill('SIGKILL')
    await killed.ended
    return (await readdir(join(parent, 'backups')))[0]!
  })
  expect(draft).toMatch(/^today\.incomplete-/)
  const sessions = () => sql`select from pg_stat_activity where application_name like 'atrium backup%'`
  await expect.poll(sessions).toEqual([])
  await whileLocked(sql, 'voice_tasks', async () => {
    const interrupted = runCommand(dataFolder, 'backup', target)
    await waitForBlockedBackends(sql)
    interrupted.child.kill('SIGTERM')
    expect([await interrupted.ended, await readdir(join(parent, 'backups'))]).toEqual([130, [draft]])
  })
  await expect.poll(sessions).toEqual([])
  const incomplete = runCommand(join(parent, 'other'), 'restore', join(parent, 'backups', draft))
  expect([await incomplete.ended, incomplete.output()]).toEqual([
    1,
    expect.stringContaining('not a complete backup'),
  ])

  const complete = runCommand(dataFolder, 'backup', target)
  expect([await complete.ended, complete.output()]).toEqual([
    0,
    expect.stringMatching(/Objects +0 of 0.*Not included: the secret/s),
  ])
  await sql.end()
})

test('a killed restore leaves a folder no server starts on, and is not continued', async () => {
  const folder = await emptyFolder('killed')
  const killed = runCommand(folder, 'restore', target)
  await expect.poll(() => isMarked(folder), { interval: 20 }).toBe(true)
  killed.child.kill('SIGKILL')
  await killed.ended
  const refused = await start(folder)
  expect([(await refused.ended)[0], refused.output()]).toEqual([
    1,
    expect.stringContaining('This database is incomplete'),
  ])
  const again = runCommand(folder, 'restore', target)
  expect([await again.ended, again.output()]).toEqual([
    1,
    expect.stringContaining('already contains a database'),
  ])
})

test('a backup is restored into an empty folder, where its owner signs in', async () => {
  const folder = await emptyFolder('restored')
  const restored = runCommand(folder, 'restore', target)
  expect([await restored.ended, restored.output()]).toEqual([0, expect.stringContaining('Next: npm start')])
  const { url } = await start(folder)
  const response = await fetch(`${url}/api/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER.ATRIUM_OWNER_EMAIL, password: OWNER.ATRIUM_OWNER_PASSWORD }),
  })
  expect(response.status).toBe(200)
})

/** A new data folder with the secret of the installation. */
async function emptyFolder(name: string): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder)
  await copyFile(join(dataFolder, 'secret'), join(folder, 'secret'))
  return folder
}

/** Whether a restore has begun to fill the database of this folder. */
async function isMarked(folder: string): Promise<boolean> {
  const sql = await openEmbedded(folder).catch(() => null)
  if (!sql) return false
  try {
    const [row] = await sql`select to_regclass('restore_incomplete') is not null as marked`
    return row?.marked
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}
