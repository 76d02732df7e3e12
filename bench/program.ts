import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../server/database/connection.ts'
import type { EmbeddedServer } from '../server/database/embedded/embedded.ts'
import { SECRET } from './secret.ts'

const POLL_MS = 100

export type Program = Awaited<ReturnType<typeof startProgram>>

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** `npm start` passes these flags, which trade speed for memory. Both sides use them. */
const START_FLAGS = scripts.start.split(' ').filter((word: string) => word.startsWith('--'))

/** The program sends its URL when it listens and stops on SIGTERM. */
export async function startProgram(file: string, connection: Connection, folder = '', env = {}) {
  const child = fork(
    new URL(file, import.meta.url),
    [JSON.stringify(connection), folder, JSON.stringify(env)],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: START_FLAGS,
    },
  )
  const [url] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${file} exited before it was ready`)
    }),
  ])) as [string]
  return { url, ...processHandle(child) }
}

/** From the bundle, as `npm start` does. */
export async function startServer(connection: EmbeddedServer['connection'], folder: string, env = {}) {
  const port = await freePort()
  const { host, user, password, database } = connection
  const child = fork(new URL('../server/main.js', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: START_FLAGS,
    env: {
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '1',
      ATRIUM_ROLE: 'api',
      ATRIUM_DATA: folder,
      ATRIUM_SECRET: SECRET,
      PORT: String(port),
      DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost:${connection.port}/${database}?host=${encodeURIComponent(host)}`,
      ...env,
    },
  })
  const url = `http://localhost:${port}`
  await waitUntilReady(child, `${url}/readyz`)
  return { url, ...processHandle(child) }
}

export async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('The server exited before it was ready')
    await sleep(POLL_MS)
  }
}

export const processHandle = (child: ChildProcess) => ({
  pid: child.pid!,
  cpuMs: () => cpuMsOf(child.pid!),
  memoryMb: () => memoryMbOf(child.pid!),
  async stop() {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  },
})

export async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Resident memory; NaN without `/proc`. */
function memoryMbOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return Number.NaN
  }
}

/** With the processes that it started. */
export const treeCpuMs = (pid: number): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isInTree(Number(name), pid))
    .reduce((sum, name) => sum + (cpuMsOf(Number(name)) || 0), 0)

function isInTree(pid: number, root: number): boolean {
  if (pid === root) return true
  const parent = Number(statFields(pid)?.[1])
  return parent > 1 && isInTree(parent, root)
}

const MS_PER_TICK = 10

/** CPU time without PostgreSQL's; NaN without `/proc`. */
function cpuMsOf(pid: number): number {
  try {
    const fields = statFields(pid)!
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    return Number.NaN
  }
}

/** From the third field on. Undefined if the process ended. */
function statFields(pid: number): string[] | undefined {
  try {
    // The second field is the name in parentheses and may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  } catch {
    return undefined
  }
}
