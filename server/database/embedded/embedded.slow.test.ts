import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { StartupError } from '../../errors.ts'
import { startEmbedded } from './embedded.ts'
import { embeddedFixtures, QUICK, query } from './testing.ts'

const { newFolder, initializedFolder, spawnOwner } = embeddedFixtures()

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test.concurrent('data survives a restart', async () => {
  const folder = await newFolder()
  const first = await startEmbedded(folder)
  await query(first, "create table note (text text); insert into note values ('kept')")
  await Promise.all([first.stop(), first.stop()])

  const second = await startEmbedded(folder)
  expect(await query(second, 'select text from note')).toEqual([{ text: 'kept' }])
  await second.stop()
})

test.concurrent('the database is durable, uses UTF-8, and is unreachable from the network and to other users', async () => {
  const folder = await newFolder()
  const server = await startEmbedded(folder)
  const names = [
    'fsync',
    'synchronous_commit',
    'data_checksums',
    'server_encoding',
    'TimeZone',
    'listen_addresses',
  ]
  const values = await Promise.all(
    names.map(async (name) => (await query(server, `select current_setting('${name}') as value`))[0]?.value),
  )
  expect(values).toEqual(['on', 'on', 'on', 'UTF8', 'UTC', ''])
  expect(await query(server, "select upper('é') as upper, 'a' < 'B' as linguistic")).toEqual([
    { upper: 'É', linguistic: false },
  ])
  expect(await query(server, 'select distinct auth_method from pg_hba_file_rules')).toEqual([
    { auth_method: 'scram-sha-256' },
  ])
  expect(await modeOf(join(folder, 'postgres.password'))).toBe('600')
  expect(await modeOf(join(folder, 'run'))).toBe('700')
  expect(await modeOf(join(folder, 'postgres'))).toBe('700')
  await server.stop()
})

test.concurrent.each([
  ['with spaces, quotes, commas and letters of any script', `data 'of' "Zoë", 日本-`],
  ['too long for a socket', 'long-'.repeat(30)],
])('the data folder may have a name %s', async (_, name) => {
  const folder = await newFolder(name)
  for (const start of ['first', 'second']) {
    const server = await startEmbedded(folder, QUICK)
    expect(await query(server, `select '${start}' as start`)).toEqual([{ start }])
    await server.stop()
    await rm(server.connection.host, { recursive: true })
  }
})

test.concurrent('the previous log is kept, and no log contains values', async () => {
  const folder = await initializedFolder()
  for (const secret of ['first-secret', 'second-secret']) {
    const server = await startEmbedded(folder, QUICK)
    await query(server, 'create table if not exists person (email text primary key)')
    const repeated = `insert into person values ('${secret}'), ('${secret}')`
    await expect(query(server, repeated)).rejects.toThrow('duplicate key')
    await expect(query(server, `select '${secret}'::uuid`)).rejects.toThrow('invalid input')
    await server.stop()
  }
  const [log, before] = await Promise.all(
    ['postgres.log', 'postgres.log.1'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  expect(log).toContain('ready to accept connections')
  expect(before).toContain('database system is shut down')
  expect(`${log}${before}`).not.toContain('secret')
})

test.concurrent('an interrupted first start leaves nothing that blocks or outlives the next one', async () => {
  const folder = await newFolder()
  const { child } = spawnOwner(folder)
  while (!(await readdir(folder)).some((name) => /^postgres\.init-[^.]+$/.test(name))) await sleep(5)
  process.kill(-child.pid!, 'SIGKILL')

  const server = await startEmbedded(folder, QUICK)
  expect((await readdir(folder)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password', 'run'])
  await server.stop()
})

test.concurrent('a folder restored with wider modes is accepted', async () => {
  const folder = await initializedFolder()
  await mkdir(join(folder, 'run'))
  await Promise.all(['postgres', 'run'].map((name) => chmod(join(folder, name), 0o755)))

  const server = await startEmbedded(folder, QUICK)
  expect(await modeOf(join(folder, 'run'))).toBe('700')
  await server.stop()
})

test.concurrent("a refused setting's error names the setting and the log", async () => {
  const folder = await initializedFolder()
  const start = startEmbedded(folder, { settings: { fsync: 'off', shared_buffers: 'plenty' } })
  await expect(start).rejects.toThrow(
    `PostgreSQL did not start: invalid value for parameter "shared_buffers": "plenty". Its log is ${folder}/postgres.log.`,
  )
  expect(await readFile(join(folder, 'postgres.log'), 'utf8')).toContain('plenty')
})

test.concurrent('a database from another PostgreSQL version is refused with both versions', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '16\n')
  await writeFile(join(folder, 'postgres.password'), 'secret')
  await expect(startEmbedded(folder)).rejects.toThrow(
    /was created by PostgreSQL 16, but this Atrium version includes 18\./,
  )
})

test.concurrent("a folder that isn't a database is left unchanged", async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'letter.txt'), 'mine')
  const refusal = await startEmbedded(folder, QUICK).catch((error) => error)
  expect(refusal).toBeInstanceOf(StartupError)
  expect(refusal.message).toContain('contains something other than a PostgreSQL database')
  expect(await readFile(join(folder, 'postgres', 'letter.txt'), 'utf8')).toBe('mine')
})

test.concurrent('a missing or changed password file is named, and no server keeps running', async () => {
  const folder = await initializedFolder()
  await writeFile(join(folder, 'postgres.password'), 'another')
  await expect(startEmbedded(folder, QUICK)).rejects.toThrow('does not accept the password')
  expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid')
  await rm(join(folder, 'postgres.password'))
  await expect(startEmbedded(folder, QUICK)).rejects.toThrow('Restore that file from a backup.')
})
