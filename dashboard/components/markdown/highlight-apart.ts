import type { Token } from './highlight.ts'

/** Includes loading the worker. */
const COLORED_WITHIN_MS = 5000
/** The worker's memory is freed after this long without code. */
const IDLE_MS = 60_000

let worker: Worker | null = null
let waiting: Promise<unknown> = Promise.resolve()
let idle: ReturnType<typeof setTimeout> | undefined

/**
 * Off the page, one at a time: many grammars take quadratic time, so a few kilobytes of code can keep a thread busy for
 * minutes. Such code stays plain. Null without a grammar.
 */
export function highlightApart(language: string, code: string): Promise<Token[] | null> {
  const tokens = waiting.then(() => ask({ language, code }))
  waiting = tokens
  return tokens
}

async function ask(request: { language: string; code: string }): Promise<Token[] | null> {
  clearTimeout(idle)
  worker ??= new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
  const tokens = await answerOf(worker, request)
  // The next code gets a new worker.
  if (tokens === undefined) close()
  else idle = setTimeout(close, IDLE_MS)
  return tokens === undefined ? [[request.code, null]] : tokens
}

/** Undefined if it comes too late. */
const answerOf = (worker: Worker, request: object): Promise<Token[] | null | undefined> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, COLORED_WITHIN_MS, undefined)
    worker.onmessage = ({ data }: MessageEvent<Token[] | null>) => {
      clearTimeout(late)
      resolve(data)
    }
    worker.postMessage(request)
  })

function close() {
  worker?.terminate()
  worker = null
}
