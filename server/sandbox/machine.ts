import { readFileSync } from 'node:fs'
import { type JSValueHandle, QuickJS } from 'quickjs-wasi'
import {
  CONSOLE_LEVELS,
  type HandedResult,
  type Job,
  type ProgramEnd,
  type SandboxError,
  type Turn,
} from './messages.ts'
import { PRELUDE } from './prelude.ts'

/** One program's virtual machine. Its clock, random numbers and time zone come from the job. */
export type Machine = Awaited<ReturnType<typeof createMachine>>

const compiled = WebAssembly.compile(readFileSync(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm'))))
const NANOSECONDS_PER_MS = 1_000_000n

export async function createMachine(job: Job) {
  const { limits } = job
  const isProgram = job.kind === 'program'
  const seed = isProgram ? hashOf(job.seed) : 1n
  let now = isProgram ? job.now : 0
  let isSeeded = false
  let turn = newTurn()
  let callCount = 0
  let inputBytes = 0
  let consoleBytes = 0
  let hasEnded = false
  let cpuStart = cpuMs()
  let usedMs = 0
  /** An expression's time starts after its values have been read. */
  let isLimited = false
  let isInterrupted = false

  const vm = await QuickJS.create({
    wasm: await compiled,
    memoryLimit: limits.memoryBytes,
    timezoneOffset: 0,
    maxStackSize: STACK_BYTES,
    interruptHandler: () => {
      isInterrupted ||= isLimited && usedMs + cpuMs() - cpuStart > limits.cpuMs
      return isInterrupted
    },
    wasi: (memory) => ({
      // The engine seeds Math.random from the clock when it starts.
      clock_time_get(_clock: number, _precision: bigint, pointer: number) {
        const time = isSeeded ? BigInt(Math.trunc(now)) * NANOSECONDS_PER_MS : seed
        new DataView(memory.buffer).setBigUint64(pointer, time, true)
        return 0
      },
      random_get(pointer: number, length: number) {
        new Uint8Array(memory.buffer, pointer, length).fill(Number(seed & 0xffn))
        return 0
      },
    }),
  })
  isSeeded = true

  const host = {
    begin() {
      cpuStart = cpuMs()
      isLimited = true
    },
    call(name: JSValueHandle, input: JSValueHandle): number {
      if (callCount >= limits.calls) throw new RangeError(`A program can make at most ${limits.calls} calls`)
      const text = textOf(vm, input)
      const bytes = Buffer.byteLength(text)
      if (bytes > limits.callBytes)
        throw new RangeError(`A call's input can have at most ${limits.callBytes} bytes`)
      if (inputBytes + bytes > limits.inputBytes)
        throw new RangeError(`The inputs of all calls can have at most ${limits.inputBytes} bytes`)
      inputBytes += bytes
      turn.calls.push({ number: ++callCount, name: textOf(vm, name), input: text })
      return callCount
    },
    log(level: JSValueHandle, text: JSValueHandle) {
      const name = textOf(vm, level)
      const line = textOf(vm, text)
      const left = limits.consoleBytes - consoleBytes
      if (left <= 0) return
      consoleBytes += Buffer.byteLength(line) + LINE_BYTES
      const shown = consoleBytes > limits.consoleBytes ? `${line.slice(0, left).toWellFormed()} […]` : line
      turn.lines.push({ level: CONSOLE_LEVELS.find((each) => each === name) ?? 'log', text: shown })
    },
    end(kind: JSValueHandle, text: JSValueHandle, line: JSValueHandle) {
      if (hasEnded) return
      hasEnded = true
      turn.end = endOf(textOf(vm, kind), textOf(vm, text), vm.typeof(line) === 'number' ? line.toNumber() : 0)
    },
  }

  function endOf(kind: string, text: string, line: number): ProgramEnd {
    if (kind === 'value') {
      if (Buffer.byteLength(text) <= limits.outputBytes) return { value: text }
      return { error: { kind: 'too_large', message: `The result has more than ${limits.outputBytes} bytes` } }
    }
    // The prelude passes these kinds.
    const error: SandboxError = { kind: kind as 'thrown', message: text.slice(0, MESSAGE_CHARACTERS_MAX) }
    if (error.kind === 'thrown' && OUT_OF_MEMORY.test(text)) return { error: outOfMemory(limits.memoryBytes) }
    return { error: isProgram && line > 0 ? { ...error, line } : error }
  }

  const prelude = installPrelude(vm, host)

  /** Runs until the program waits or ends. Anything that escapes is the machine's end. */
  function run(work: () => void): Turn {
    turn = newTurn()
    cpuStart = cpuMs()
    isLimited ||= isProgram
    try {
      work()
      // An expression has its value already, and the engine doesn't interrupt a chain of jobs.
      if (isProgram) vm.executePendingJobs()
    } catch (error) {
      if (!hasEnded || isInterrupted) turn.end = { error: reasonOf(error) }
      hasEnded = true
    }
    if (isInterrupted) turn.end = { error: reasonOf(null) }
    usedMs += cpuMs() - cpuStart
    return { ...turn, cpuMs: usedMs }
  }

  function reasonOf(error: unknown): SandboxError {
    if (isInterrupted)
      return {
        kind: 'timeout',
        message: `The code took longer than ${limits.cpuMs >= 1000 ? `${limits.cpuMs / 1000} seconds` : `${limits.cpuMs} ms`} of computing time`,
      }
    const text = error instanceof Error ? error.message : ''
    if (OUT_OF_MEMORY.test(text)) return outOfMemory(limits.memoryBytes)
    const isTooDeep = error instanceof RangeError && /call stack/.test(text)
    return { kind: 'crashed', message: isTooDeep ? 'The code recursed too deeply' : INDESCRIBABLE }
  }

  const invoke = (name: 'evaluate' | 'start' | 'settle', ...values: (string | number | boolean)[]) => {
    const handles = values.map((value) => vm.hostToHandle(value))
    try {
      vm.callFunction(prelude[name], vm.undefined, ...handles).dispose()
    } finally {
      for (const handle of handles) handle.dispose()
    }
  }

  return {
    start: () =>
      run(() =>
        isProgram
          ? invoke('start', job.code, job.library, job.values, JSON.stringify(job.tools))
          : invoke('evaluate', job.expression, job.values),
      ),
    hand: (result: HandedResult) =>
      run(() => {
        now = Math.max(now, result.now)
        invoke('settle', result.number, result.isError, result.output)
      }),
    dispose: () => vm.dispose(),
  }
}

const MESSAGE_CHARACTERS_MAX = 4000
/** A line costs this much besides its text, so that empty ones end too. */
const LINE_BYTES = 32
/** About 1,000 frames. The process's own stack is larger (`sandbox-process.ts`), so the engine notices first. */
const STACK_BYTES = 262_144
const INDESCRIBABLE = 'The code ended in an error that the sandbox cannot describe'
const OUT_OF_MEMORY = /out of memory|^(InternalError: )?string too long/

const outOfMemory = (bytes: number): SandboxError => ({
  kind: 'memory',
  message: `The code needed more than ${Math.round(bytes / 1_048_576)} MB of memory`,
})

const newTurn = (): Turn => ({ calls: [], lines: [], end: null, cpuMs: 0 })

type Host = Record<string, (...values: JSValueHandle[]) => unknown>

function installPrelude(vm: QuickJS, host: object) {
  const install = vm.evalCode(PRELUDE, 'prelude')
  const given = vm.newObject()
  for (const [name, run] of Object.entries(host as Host)) {
    const handle = vm.newFunction(name, (...values) => {
      const result = run(...values)
      return typeof result === 'number' ? vm.newNumber(result) : vm.undefined
    })
    vm.setProp(given, name, handle)
    handle.dispose()
  }
  const prelude = vm.callFunction(install, vm.undefined, given)
  const functions = {
    start: prelude.getProp('start'),
    evaluate: prelude.getProp('evaluate'),
    settle: prelude.getProp('settle'),
  }
  for (const handle of [install, given, prelude]) handle.dispose()
  return functions
}

/** A string in the machine. Anything else would run the program's code. */
function textOf(vm: QuickJS, value: JSValueHandle): string {
  if (vm.typeof(value) !== 'string') throw new TypeError('Only text leaves the sandbox')
  return value.toString()
}

/** Of this thread: other threads and processes don't use up a program's time. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** FNV-1a with 64 bits. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}
