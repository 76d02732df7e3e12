import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type CommandResult, runInProcess } from './run-in-process.ts'

const LAUNCHER = join(import.meta.dirname, '..', 'atrium.js')
const SCRIPT = '/usr/bin/script'

/** util-linux `script` runs a command in a pseudo-terminal. */
export const hasPseudoTerminal = process.platform === 'linux' && existsSync(SCRIPT)

export interface RunningCommand {
  child: ChildProcess
  /** Resolves with the first match. */
  waitForOutput: (pattern: RegExp) => Promise<string>
  done: Promise<CommandResult>
}

interface StartOptions {
  env?: Record<string, string>
  cwd?: string
  /** `stdout` is then the whole screen. */
  inTerminal?: boolean
}

export async function createHome() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-cli-'))
  const openedFile = join(folder, 'opened')
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${openedFile}'\n`)
  await chmod(join(folder, 'xdg-open'), 0o755)
  const credentials = join(folder, 'atrium', 'credentials.json')

  function start(args: string[], options: StartOptions = {}): RunningCommand {
    const { PATH = '' } = process.env
    const env = {
      PATH: `${folder}${delimiter}${PATH}`,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      TERM: 'xterm-256color',
      ...options.env,
    }
    const command = [process.execPath, LAUNCHER, ...args]
    const quoted = command.map((part) => `'${part}'`).join(' ')
    // A pseudo-terminal has no size until `stty` sets one.
    const sizedCommand = `stty cols 100 rows 30; exec ${quoted}`
    const [file, ...rest] = options.inTerminal ? [SCRIPT, '-qefc', sizedCommand, '/dev/null'] : command
    return observe(spawn(file!, rest, { env, cwd: options.cwd }))
  }

  return {
    folder,
    credentials,
    start,
    /** Runs in this process: starting Node for each command took most of a test's time. */
    run: (
      args: string[],
      { env, ...options }: Pick<StartOptions, 'env' | 'cwd'> & { input?: string } = {},
    ): Promise<CommandResult> => runInProcess(args, { XDG_CONFIG_HOME: folder, ...env }, options),
    openedUrl: () => readFile(openedFile, 'utf8').catch(() => null),
    storedCredentials: async () => JSON.parse(await readFile(credentials, 'utf8')),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function observe(child: ChildProcess): RunningCommand {
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  const collect = (append: (text: string) => void) => (chunk: Buffer) => {
    append(chunk.toString())
    for (const listener of listeners) listener()
  }
  child.stdout!.on(
    'data',
    collect((text) => (stdout += text)),
  )
  child.stderr!.on(
    'data',
    collect((text) => (stderr += text)),
  )
  const done = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  const waitForOutput = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const match = pattern.exec(stderr + stdout)
        if (match) resolve(match[0])
      }
      listeners.add(check)
      check()
      void done.then(() =>
        reject(new Error(`The command ended without output that matches ${pattern}: ${stderr}${stdout}`)),
      )
    })
  return { child, waitForOutput, done }
}
