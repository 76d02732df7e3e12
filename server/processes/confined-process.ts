import { type ChildProcess, fork } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

interface ConfinedOptions {
  heapMegabytes: number
  /** Folders it may read besides its own, the packages and package.json. */
  folders?: readonly string[]
  serialization?: 'json' | 'advanced'
  /** Options of Node or V8. */
  flags?: readonly string[]
}

const PROJECT = join(import.meta.dirname, '../..')

/**
 * Runs a program that handles untrusted data. It can read its code and its libraries: no other files, no child
 * processes, no environment. A process, because a worker thread that runs out of memory in one large allocation would
 * end the whole server, despite its limits.
 */
export function forkConfined(program: string, options: ConfinedOptions) {
  const { heapMegabytes, folders = [], serialization = 'json', flags = [] } = options
  const child = fork(program, [], {
    env: {},
    execArgv: [
      `--max-old-space-size=${heapMegabytes}`,
      '--permission',
      ...readPermissions([dirname(program), ...folders]),
      '--no-warnings',
      ...flags,
    ],
    serialization,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // An idle process doesn't keep the server alive.
  child.unref()
  child.channel?.unref()
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => resolve()).once('error', () => resolve()),
  )
  return {
    child,
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    exited,
    end: async (): Promise<void> => {
      child.ref()
      child.kill('SIGKILL')
      await exited
    },
  }
}

const USE_POLL_MS = 50

/** Calls `exceeded` when the process uses more resident memory, including buffers. The result stops watching. */
export function watchMemory(child: ChildProcess, residentBytes: number, exceeded: () => void): () => void {
  const watch = setInterval(async () => {
    if ((await residentBytesOf(child)) > residentBytes) exceeded()
  }, USE_POLL_MS)
  return () => clearInterval(watch)
}

/** Calls `exceeded` when the process has computed this long since now. The result stops watching. */
export function watchComputing(child: ChildProcess, cpuMs: number, exceeded: () => void): () => void {
  const before = computingMsOf(child)
  const watch = setInterval(async () => {
    if ((await computingMsOf(child)) - (await before) > cpuMs) exceeded()
  }, USE_POLL_MS)
  return () => clearInterval(watch)
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10

/** Zero where /proc doesn't exist. */
async function computingMsOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The program's name, in parentheses, can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Zero where /proc doesn't exist. */
async function residentBytesOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

function readPermissions(folders: readonly string[]): string[] {
  const modules = join(PROJECT, 'node_modules')
  const paths = [...folders, modules, realpathSync(modules)].map((folder) => join(folder, '*'))
  return [...paths, join(PROJECT, 'package.json')].map((path) => `--allow-fs-read=${path}`)
}
