import { once } from 'node:events'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clusterFolder } from './cluster.ts'
import { type EmbeddedServer, startEmbedded } from './embedded.ts'
import { findPostmaster } from './postmaster.ts'
import { embeddedFixtures, kill, killAndLeaveServer, killPostmaster, QUICK, query } from './testing.ts'

const { newFolder, initializedFolder, spawnOwner } = embeddedFixtures()

/** Names the owner, so that an operator can find it. */
const REFUSAL =
  /^Another Atrium is already running on .+: Atrium server \(process \d+ on .+\), since .+ UTC\. Stop it/

const pidOf = (folder: string) => findPostmaster(clusterFolder(folder))?.pid

async function expectWorking(folder: string, server: EmbeddedServer) {
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  expect(pidOf(folder)).toBeUndefined()
}

test.concurrent('a second Atrium on the same folder is refused, and the first keeps running', async () => {
  const folder = await initializedFolder()
  const first = await startEmbedded(folder, QUICK)
  await expect(startEmbedded(folder, QUICK)).rejects.toThrow(REFUSAL)
  await expectWorking(folder, first)
})

test.concurrent('a server that starts while a command holds the folder waits for it and names it', async () => {
  const folder = await initializedFolder()
  const command = await startEmbedded(folder, { ...QUICK, purpose: 'atrium-server backup' })
  const waiting = Promise.withResolvers<string>()
  const next = startEmbedded(folder, { ...QUICK, onWait: waiting.resolve })
  expect(await waiting.promise).toMatch(
    /^Waiting for atrium-server backup \(process \d+ on .+\), which has used .+ since .+ UTC …$/,
  )
  await command.stop()
  await expectWorking(folder, await next)
})

test.concurrent('an Atrium that starts while another stops waits for it, then starts', async () => {
  const folder = await initializedFolder()
  const first = await startEmbedded(folder, QUICK)
  const next = startEmbedded(folder, QUICK)
  await sleep(200)
  await first.stop()
  await expectWorking(folder, await next)
})

test.concurrent("a killed Atrium's server stops, and the next start finds its data", async () => {
  const folder = await initializedFolder()
  const { child, firstOutput } = spawnOwner(folder)
  expect(await firstOutput).toBe('ready')
  expect(pidOf(folder)).toBeDefined()
  await kill(child)
  await expect.poll(() => pidOf(folder)).toBeUndefined()
  expect(await readFile(join(folder, 'postgres.log'), 'utf8')).toContain('received fast shutdown request')
  await expectWorking(folder, await startEmbedded(folder, QUICK))
})

test.concurrent('the server stops if its Atrium is killed during startup', async () => {
  const folder = await initializedFolder()
  const { child } = spawnOwner(folder)
  await expect.poll(() => pidOf(folder), { interval: 1 }).toBeDefined()
  await kill(child)
  await expect.poll(() => pidOf(folder)).toBeUndefined()
  await expectWorking(folder, await startEmbedded(folder, QUICK))
})

test.concurrent("a refused second Atrium doesn't stop the server when it exits", async () => {
  const folder = await initializedFolder()
  const first = await startEmbedded(folder, QUICK)
  const { child, firstOutput } = spawnOwner(folder)
  expect(await firstOutput).toMatch(REFUSAL)
  await kill(child)
  await expectWorking(folder, first)
})

test.concurrent('a server that outlives its Atrium is taken over, and stops with the next Atrium', async () => {
  const folder = await initializedFolder()
  const first = spawnOwner(folder)
  expect(await first.firstOutput).toBe('ready')
  const pid = pidOf(folder)
  await killAndLeaveServer(first.child)
  const next = spawnOwner(folder)
  expect(await next.firstOutput).toBe('ready')
  expect(pidOf(folder)).toBe(pid)
  await kill(next.child)
  await expect.poll(() => pidOf(folder)).toBeUndefined()
})

test.concurrent('a server that outlives its Atrium is taken over with its data', async () => {
  const folder = await initializedFolder()
  const { child, firstOutput } = spawnOwner(folder)
  expect(await firstOutput).toBe('ready')
  const pid = pidOf(folder)
  await killAndLeaveServer(child)

  const server = await startEmbedded(folder, QUICK)
  expect(pidOf(folder)).toBe(pid)
  await expect(startEmbedded(folder, QUICK)).rejects.toThrow(REFUSAL)
  await expectWorking(folder, server)
})

test.concurrent('committed data survives when every process is killed', async () => {
  const folder = await initializedFolder()
  const first = await startEmbedded(folder)
  await query(first, "create table note (text text); insert into note values ('kept')")
  await killPostmaster(folder)
  expect(await first.died).toMatch(
    /^The embedded PostgreSQL stopped unexpectedly: .+ Its log is .+postgres\.log\.$/,
  )
  await first.stop()

  const second = await startEmbedded(folder)
  expect(await query(second, 'select text from note')).toEqual([{ text: 'kept' }])
  await second.stop()
})

test.concurrent('the end of a taken-over server is detected', async () => {
  const folder = await initializedFolder()
  const { child, firstOutput } = spawnOwner(folder)
  await firstOutput
  await killAndLeaveServer(child)
  const server = await startEmbedded(folder, QUICK)
  await killPostmaster(folder)
  expect(await server.died).toContain('PostgreSQL stopped unexpectedly')
  await server.stop()
})

test.concurrent("lock files whose pid belongs to another program don't block startup", async () => {
  const folder = await initializedFolder()
  await startEmbedded(folder, QUICK)
  const locks = [join(folder, 'postgres/postmaster.pid'), join(folder, 'run/.s.PGSQL.5432.lock')]
  const [lock = '', socketLock = ''] = await Promise.all(locks.map((file) => readFile(file, 'utf8')))
  await killPostmaster(folder)
  await writeFile(locks[0]!, lock.replace(/^\d+/, String(process.pid)))
  await writeFile(locks[1]!, socketLock.replace(/^\d+/, String(process.pid)))
  await expectWorking(folder, await startEmbedded(folder, QUICK))
})

test.concurrent("an empty lock file left by a power failure doesn't block startup", async () => {
  const folder = await initializedFolder()
  await (await startEmbedded(folder, QUICK)).stop()
  const lock = join(folder, 'postgres/postmaster.pid')
  await writeFile(lock, '')
  await utimes(lock, new Date(0), new Date(0))
  await expectWorking(folder, await startEmbedded(folder, QUICK))
})

test.concurrent.each(['first starts', 'starts after a crash'])(
  'two concurrent %s: one succeeds and one is refused',
  async (kind) => {
    const isFirst = kind === 'first starts'
    const folder = isFirst ? await newFolder() : await initializedFolder()
    if (!isFirst) {
      await startEmbedded(folder, QUICK)
      await killPostmaster(folder)
      await writeFile(join(folder, 'postgres/postmaster.pid'), `${process.pid}\n`)
    }
    const owners = [spawnOwner(folder), spawnOwner(folder)]
    const firstOutputs = await Promise.all(owners.map((owner) => owner.firstOutput))
    expect(firstOutputs.toSorted()).toEqual([expect.stringMatching(REFUSAL), 'ready'])

    const winner = owners[firstOutputs.indexOf('ready')]!.child
    winner.stdin.write('stop')
    await once(winner, 'exit')
    await expectWorking(folder, await startEmbedded(folder, QUICK))
  },
)

test.concurrent('the folder stays owned while PostgreSQL recovers from a process crash', async () => {
  const folder = await initializedFolder()
  const server = await startEmbedded(folder, QUICK)
  const [victim] = await query(
    server,
    "select pid from pg_stat_activity where backend_type = 'background writer'",
  )
  process.kill(victim?.pid, 'SIGKILL')
  while (!(await query(server, 'select 1').catch(() => null))) await sleep(5)
  await expect(startEmbedded(folder, QUICK)).rejects.toThrow(REFUSAL)
  await expectWorking(folder, server)
})

test.concurrent("a server whose process isn't visible, as in another container, is left running", async () => {
  const folder = await initializedFolder()
  const server = await startEmbedded(folder, QUICK)
  const lock = join(folder, 'postgres/postmaster.pid')
  const content = await readFile(lock, 'utf8')
  await writeFile(lock, content.replace(/^\d+/, '4194303'))
  await expect(startEmbedded(folder, QUICK)).rejects.toThrow(
    /^Another Atrium is already running on \S+\. Stop it/,
  )
  await writeFile(lock, content)
  await expectWorking(folder, server)
})

test.concurrent("a program that doesn't stop its server can still exit", async () => {
  const folder = await initializedFolder()
  const { child, firstOutput } = spawnOwner(folder)
  expect(await firstOutput).toBe('ready')
  child.stdin.end()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  await expectWorking(folder, await startEmbedded(folder, QUICK))
})
