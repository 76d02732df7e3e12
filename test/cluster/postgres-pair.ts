import { once } from 'node:events'
import { appendFile, chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../server/database/database.ts'
import { findBinaries } from '../../server/database/embedded/binaries.ts'
import { chooseRunAs, type RunAs, spawnAs } from '../../server/database/embedded/run-as.ts'
import { until } from './until.ts'

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>

const USER = 'atrium'
const STANDBY = 'standby'

interface PairOptions {
  /** Whether the primary acknowledges a commit when the standby has it on disk. */
  isSynchronous?: boolean
  /** Lines for `postgresql.conf` of both. */
  settings?: string
}

/** A primary with a streaming standby. Both listen on loopback, with the default durability. */
export async function startPostgresPair(
  folder: string,
  ports: { primary: number; standby: number },
  { isSynchronous = true, settings = '' }: PairOptions = {},
) {
  const { initdb, postgres, folder: bin } = await findBinaries()
  const runAs = chooseRunAs([folder, bin])
  const [primary, standby] = [join(folder, 'primary'), join(folder, STANDBY)]
  await mkdir(primary)
  await chown(primary, runAs.owner.uid, runAs.owner.gid)
  await run(runAs, initdb, ['-D', primary, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
  await appendFile(
    join(primary, 'postgresql.conf'),
    `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
wal_keep_size = '1GB'
${settings}
synchronous_standby_names = ''
`,
  )
  // Before the first start, both are the same.
  await cp(primary, standby, { recursive: true, preserveTimestamps: true })
  await chownAll(standby, runAs)
  if (isSynchronous)
    await appendFile(join(primary, 'postgresql.conf'), `synchronous_standby_names = '${STANDBY}'\n`)
  await appendFile(
    join(standby, 'postgresql.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${ports.primary} user=${USER} application_name=${STANDBY}'\n`,
  )
  await writeFile(join(standby, 'standby.signal'), '')
  await chown(join(standby, 'standby.signal'), runAs.owner.uid, runAs.owner.gid)

  const start = (data: string, port: number) =>
    spawnAs(runAs, postgres, ['-D', data, '-p', String(port)], { stdio: 'ignore', detached: true })
  const processes = [start(primary, ports.primary), start(standby, ports.standby)]
  const admin = openDatabase(`postgres://${USER}@127.0.0.1:${ports.primary}/postgres`, 'proof', {
    connections: 1,
    connectionsPerOrg: 1,
    statementTimeoutMs: 0,
    idleTimeoutS: null,
    waitMs: 60_000,
  })
  const syncState = isSynchronous ? 'sync' : 'async'
  await until(`the standby is ${syncState}`, async () => {
    const rows =
      await admin`select from pg_stat_replication where sync_state = ${syncState} and state = 'streaming'`
    return rows.length === 1
  })
  await admin.unsafe(`create role atrium_check login`)
  await admin.unsafe(`create database ${USER}`)
  await admin.end()

  return {
    user: USER,
    runAs,
    /** Kills the primary with all of its processes, to simulate the loss of its machine. */
    async killPrimary() {
      const pid = await postmasterOf(primary)
      const children = await childrenOf(pid)
      for (const each of [pid, ...children]) killNow(each)
    },
    /** Restarts the primary as an operator does: open transactions end. */
    async restartPrimary() {
      await run(runAs, join(bin, 'pg_ctl'), ['-D', primary, '-m', 'fast', '-w', 'stop'])
      processes.push(start(primary, ports.primary))
    },
    /** Does the same as `pg_ctl promote`, without waiting for the end. */
    async promoteStandby() {
      await run(runAs, join(bin, 'pg_ctl'), ['-D', standby, '-W', 'promote'])
    },
    /** Stops the standby with a fast shutdown: open transactions end. */
    async stopStandby() {
      await run(runAs, join(bin, 'pg_ctl'), ['-D', standby, '-m', 'fast', '-w', 'stop'])
    },
    startStandby() {
      processes.push(start(standby, ports.standby))
    },
    /** Suspends all processes of the standby: connections stay open, and nothing responds. `SIGCONT` resumes them. */
    async signalStandby(signal: 'SIGSTOP' | 'SIGCONT') {
      const pid = await postmasterOf(standby)
      for (const each of [pid, ...(await childrenOf(pid))]) killNow(each, signal)
    },
    async stop() {
      for (const data of [primary, standby]) {
        const pid = await postmasterOf(data).catch(() => null)
        if (pid !== null) killNow(pid, 'SIGQUIT')
      }
      await Promise.all(
        processes.map(async (child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')),
      )
    },
  }
}

async function run(runAs: RunAs, program: string, args: string[]): Promise<void> {
  const child = spawnAs(runAs, program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} failed: ${errors}`)
}

async function chownAll(folder: string, { owner }: RunAs): Promise<void> {
  await chown(folder, owner.uid, owner.gid)
  for (const name of await readdir(folder, { recursive: true }))
    await chown(join(folder, name), owner.uid, owner.gid)
}

const postmasterOf = async (data: string): Promise<number> =>
  Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

function killNow(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended already.
  }
}
