import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { type RunAs, spawnAs } from '../../server/database/embedded/run-as.ts'
import { until } from './until.ts'

const CONFIGURATION = join(import.meta.dirname, '../../deploy/haproxy.cfg')
const PATHS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']

/** Where the programs of the proof are. If one is missing, ends the process with the name of the package. */
export function requirePrograms<Name extends string>(...names: Name[]): Record<Name, string> {
  const found = names.map((name) => [name, findProgram(name)] as const)
  const missing = found.filter(([, path]) => path === null).map(([name]) => name)
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(', ')}. On Debian: apt-get install ${missing.join(' ')}`)
    process.exit(2)
  }
  return Object.fromEntries(found) as Record<Name, string>
}

const findProgram = (name: string): string | null =>
  PATHS.map((folder) => join(folder, name)).find(
    (path) => spawnSync(path, ['-v'], { stdio: 'ignore' }).error === undefined,
  ) ?? null

/** Ports on loopback that are free now. */
export async function freePorts<Name extends string>(...names: Name[]): Promise<Record<Name, number>> {
  const servers = names.map(() => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Name, number>
}

export interface HaproxyPorts {
  http: number
  api1: number
  api2: number
  postgres: number
  primary: number
  standby: number
}

/** HAProxy with the configuration that `deploy/` offers. */
export async function startHaproxy(program: string, folder: string, ports: HaproxyPorts) {
  const socket = join(folder, 'haproxy.sock')
  const loopback = (port: number) => `127.0.0.1:${port}`
  const child = spawn(program, ['-db', '-f', CONFIGURATION], {
    stdio: 'ignore',
    env: {
      ATRIUM_HTTP: loopback(ports.http),
      ATRIUM_API_1: loopback(ports.api1),
      ATRIUM_API_2: loopback(ports.api2),
      ATRIUM_POSTGRES: loopback(ports.postgres),
      ATRIUM_POSTGRES_1: loopback(ports.primary),
      ATRIUM_POSTGRES_2: loopback(ports.standby),
      ATRIUM_HAPROXY_SOCKET: socket,
    },
  })
  const command = (text: string) => sendCommand(socket, text)
  /** The servers of a backend that accept connections. */
  const serversUp = async (backend: string) => {
    const rows = (await command('show stat')).split('\n').map((line) => line.split(','))
    return rows
      .filter(([proxy, name]) => proxy === backend && name !== 'FRONTEND' && name !== 'BACKEND')
      .filter((row) => row[17]?.startsWith('UP'))
      .map(([, name]) => name)
  }
  await until('HAProxy runs', async () => (await command('show info')).includes('Name: HAProxy'))
  return { command, serversUp, stop: () => stopChild(child) }
}

async function sendCommand(path: string, text: string): Promise<string> {
  const socket = connect(path)
  socket.end(`${text}\n`)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return answer
}

export interface PgbouncerOptions {
  port: number
  postgres: { port: number; user: string }
  mode: 'session' | 'transaction' | 'statement'
}

/** PgBouncer as docs/operate/operations.md configures it, in front of one address of PostgreSQL. */
export async function startPgbouncer(
  program: string,
  folder: string,
  runAs: RunAs,
  { port, postgres, mode }: PgbouncerOptions,
) {
  const file = join(folder, `pgbouncer-${mode}.ini`)
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${postgres.port} user=${postgres.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 100
`,
  )
  await chown(file, runAs.owner.uid, runAs.owner.gid)
  const child = spawnAs(runAs, program, ['-q', file], { stdio: 'ignore' })
  await until('PgBouncer listens', async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
    return true
  })
  return { stop: () => stopChild(child) }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
