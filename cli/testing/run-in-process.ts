import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { readEnvironment } from '../config.ts'
import { run } from '../program.ts'

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

const realProcess = process
const commands = new AsyncLocalStorage<NodeJS.Process>()
// Command code uses its own streams and exit code; all other code has the real process.
Object.defineProperty(globalThis, 'process', {
  configurable: true,
  get: () => commands.getStore() ?? realProcess,
})

/** Has no terminal, as in a script. */
function createProcess() {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const properties = Object.entries({ ...streams, exitCode: 0 }).map(([name, value]) => [
    name,
    { value, writable: true },
  ])
  return { ...streams, process: Object.create(realProcess, Object.fromEntries(properties)) as NodeJS.Process }
}

/** Only these environment variables are set. `input` is stdin. */
export async function runInProcess(
  args: string[],
  env: Record<string, string>,
  { cwd, input }: { cwd?: string; input?: string } = {},
): Promise<CommandResult> {
  const { stdin, stdout, stderr, process: ownProcess } = createProcess()
  if (input !== undefined) stdin.end(input)
  const output = Promise.all([text(stdout), text(stderr)])
  const leave = cwd === undefined ? () => {} : await enterDirectory(cwd)
  try {
    await commands.run(ownProcess, () => run(args, readEnvironment(env)))
  } finally {
    leave()
    stdout.end()
    stderr.end()
  }
  const [printed, messages] = await output
  return { code: Number(ownProcess.exitCode), stdout: printed, stderr: messages }
}

interface WorkingDirectory {
  folder: string
  previousFolder: string
  /** Commands running in it. */
  commands: number
  whenLeft: PromiseWithResolvers<void>
}

let directory: WorkingDirectory | null = null

/** The process has one working directory, so commands in other directories wait. */
async function enterDirectory(folder: string): Promise<() => void> {
  while (directory && directory.folder !== folder) await directory.whenLeft.promise
  if (!directory) {
    directory = { folder, previousFolder: process.cwd(), commands: 0, whenLeft: Promise.withResolvers() }
    process.chdir(folder)
  }
  const current = directory
  current.commands++
  return () => {
    current.commands--
    if (current.commands > 0) return
    process.chdir(current.previousFolder)
    directory = null
    current.whenLeft.resolve()
  }
}
