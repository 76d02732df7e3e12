import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { PORT, USER } from '../../server/database/embedded/cluster.ts'

const ROOT = join(import.meta.dirname, '../..')

export type AtriumProcess = Awaited<ReturnType<typeof startAtrium>>

/** A separate process, as `npm start` runs it. Returns when the banner is complete, or when the process has exited. */
export async function startAtrium(options: {
  dataFolder: string
  env?: Record<string, string>
  command?: string[]
}) {
  const [file, ...args] = options.command ?? [process.execPath, 'server/main.js']
  const child = spawn(file!, args, {
    cwd: ROOT,
    detached: true,
    env: { PATH: process.env.PATH, PORT: '0', ATRIUM_DATA: options.dataFolder, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  // At `close` the output is complete; at `exit` its last lines may still be in the pipe.
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>

  await new Promise<void>((resolve) => {
    child.stdout.on(
      'data',
      () => output.includes('Atrium is ready') && output.includes('Models') && resolve(),
    )
    void ended.then(() => resolve())
  })

  return {
    pid: child.pid!,
    // Node resolves `localhost` for each request; the IP address needs no lookup.
    url: (/(?:Dashboard|Listening) +(http:\S+)/.exec(output)?.[1] ?? '').replace('localhost', '127.0.0.1'),
    output: () => output,
    ended,
    /** Ends the process without any cleanup. */
    async kill() {
      process.kill(child.pid!, 'SIGKILL')
      await ended
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) process.kill(child.pid!, signal)
      return ended
    },
  }
}

export async function databasePid(dataFolder: string): Promise<number> {
  return Number((await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Connects to the embedded database from outside, with the password in the data folder. */
export async function openEmbedded(dataFolder: string): Promise<Pool> {
  const password = (await readFile(join(dataFolder, 'postgres.password'), 'utf8')).trim()
  return openDatabase(
    { host: join(dataFolder, 'run'), port: PORT, user: USER, password, database: USER },
    'test',
  )
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
