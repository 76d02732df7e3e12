import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { openDatabase } from '../database.ts'
import type { Row } from '../query.ts'
import { clusterFolder } from './cluster.ts'
import { type EmbeddedServer, startEmbedded } from './embedded.ts'
import { findPostmaster } from './postmaster.ts'

const EMBEDDED = fileURLToPath(new URL('./embedded.ts', import.meta.url))

/** Test data need not survive a power failure. */
export const QUICK = { settings: { fsync: 'off' } }

/** Removed when the test file ends. Its tests may run concurrently. */
export function embeddedFixtures() {
  const folders: string[] = []
  const children: ChildProcess[] = []
  let template: Promise<string> | undefined

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    for (const folder of folders) {
      await killPostmaster(folder)
      await rm(folder, { recursive: true, force: true, maxRetries: 20 })
    }
  })

  async function newFolder(name = ''): Promise<string> {
    const folder = await mkdtemp(join(await realpath(tmpdir()), `atrium-${name}`))
    folders.push(folder)
    return folder
  }

  /** Saves almost a second on the first start. */
  async function initializedFolder(): Promise<string> {
    template ??= makeTemplate()
    const [from, to] = await Promise.all([template, newFolder()])
    await promisify(execFile)('cp', ['-a', clusterFolder(from), join(from, 'postgres.password'), to])
    return to
  }

  async function makeTemplate(): Promise<string> {
    const folder = await newFolder()
    const server = await startEmbedded(folder, QUICK)
    await server.stop()
    return folder
  }

  /** Prints the outcome, and owns the server until stopped or killed. */
  function spawnOwner(folder: string, identity: { uid?: number; gid?: number } = {}) {
    const script = `
      const { startEmbedded } = await import(${JSON.stringify(EMBEDDED)})
      const server = await startEmbedded(process.argv[1], ${JSON.stringify(QUICK)}).catch((error) => error)
      console.log(server instanceof Error ? server.message : 'ready')
      process.stdin.on('data', () => server.stop().then(() => process.exit()))`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script, folder], {
      ...identity,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    })
    children.push(child)
    const firstOutput = new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
      child.once('exit', () => resolve('ended'))
    })
    return { child, firstOutput }
  }

  return { newFolder, initializedFolder, spawnOwner }
}

export async function query(server: EmbeddedServer, text: string): Promise<Row[]> {
  const sql = openDatabase(server.connection, 'test query')
  try {
    return await sql.unsafe(text)
  } finally {
    await sql.end()
  }
}

/** Simulates a power failure. */
export async function killPostmaster(folder: string): Promise<void> {
  const postmaster = findPostmaster(clusterFolder(folder))
  if (postmaster) process.kill(postmaster.pid, 'SIGKILL')
  while (findPostmaster(clusterFolder(folder))) await sleep(10)
}

/** Keeps the server running, by first killing the guard that would stop it. */
export async function killAndLeaveServer(child: ChildProcess): Promise<void> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  for (const pid of children.trim().split(' ')) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    if (command.includes('atrium-orphan-guard')) process.kill(Number(pid), 'SIGKILL')
  }
  await kill(child)
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
