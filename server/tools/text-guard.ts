import { ApiError } from '../errors.ts'
import { fence } from '../language-models/fence.ts'
import { sha256 } from '../security/digest.ts'
import type { InvokeTool } from './tool.ts'

/** Hashes of texts in these records by guests, external senders or untrusted runs. */
export type ListTextOrigins = (recordIds: string[]) => Promise<ReadonlySet<string>>

export interface GuardedOutput {
  output: unknown
  /** Contains untrusted text, so a run that reads it is no longer trusted. */
  isOutside: boolean
}

export class OutsideError extends ApiError {}

/**
 * Notes untrusted texts that endpoints return, and fences output that repeats one, whole or in part. So no tool has to
 * know a field's author.
 */
export function createTextGuard(listOrigins: ListTextOrigins) {
  const texts = new Map<string, (text: string) => boolean>()

  async function note(response: unknown): Promise<void> {
    const ids = new Set<string>()
    collectIds(response, ids)
    if (ids.size === 0) return
    const hashes = await listOrigins([...ids])
    if (hashes.size === 0) return
    visitTexts(response, (text) => {
      if (!texts.has(text) && hashes.has(sha256(text).toString('hex'))) texts.set(text, createMatcher(text))
    })
  }

  const repeats = (text: string) => [...texts.values()].some((matches) => matches(text))

  function guard(value: unknown): GuardedOutput {
    if (typeof value === 'string')
      return repeats(value)
        ? { output: fence(value, OUTSIDE_SOURCE), isOutside: true }
        : { output: value, isOutside: false }
    if (typeof value !== 'object' || value === null) return { output: value, isOutside: false }
    const parts = Object.entries(value).map(([name, part]) => [name, guard(part)] as const)
    const isOutside = parts.some(([, part]) => part.isOutside)
    if (!isOutside) return { output: value, isOutside }
    const output = Array.isArray(value)
      ? parts.map(([, part]) => part.output)
      : Object.fromEntries(parts.map(([name, part]) => [name, part.output]))
    return { output, isOutside }
  }

  return {
    watch:
      (invoke: InvokeTool): InvokeTool =>
      async (name, input) => {
        const response = await invoke(name, input)
        await note(response)
        return response
      },
    fence: (output: unknown): GuardedOutput =>
      texts.size === 0 ? { output, isOutside: false } : guard(output),
    /** Messages name similar records for the model to choose from. */
    fenceError(error: unknown): unknown {
      if (texts.size === 0 || !(error instanceof ApiError)) return error
      const message = guard(error.message)
      const details = guard(error.details)
      if (!message.isOutside && !details.isOutside) return error
      return new OutsideError(error.code, message.output as string, { details: details.output as never })
    },
  }
}

export const OUTSIDE_SOURCE = 'a guest, a sender from outside or an untrusted run'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Includes records they refer to. */
function collectIds(value: unknown, ids: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length === 36 && UUID.test(value)) ids.add(value)
  } else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) collectIds(part, ids)
}

function visitTexts(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value)
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) visitTexts(part, visit)
}

/** Tools cut and join texts: this many matching letters are no coincidence. */
const RUN_LENGTH = 24
/** For scripts without spaces, where a letter says as much as half a word. */
const RUN_LENGTH_SPACELESS = 8
/** Shorter slices say nothing, and a single shorter word is no instruction. */
const SLICE_MIN = 8
/** This many words are a phrase, and its parts count too. */
const WORDS_MIN = 3

const SPACELESS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

/** Compares only letters and digits, so quoting and slugs make no difference. */
function createMatcher(text: string): (other: string) => boolean {
  const letters = lettersOf(text)
  if (letters === '') return (other) => other === text
  const words = wordsIn(text)
  const isSpaceless = SPACELESS.test(letters)
  const runLength = isSpaceless ? RUN_LENGTH_SPACELESS : RUN_LENGTH
  if (letters.length < runLength && words.length < WORDS_MIN) return shortMatcher(letters, words, isSpaceless)
  const length = Math.min(runLength, letters.length)
  const runs = new Set<string>()
  for (let start = 0; start + length <= letters.length; start++)
    runs.add(letters.slice(start, start + length))
  return (other) => {
    const found = lettersOf(other)
    if (found.length < length) return found.length >= SLICE_MIN && letters.includes(found)
    for (let start = 0; start + length <= found.length; start++)
      if (runs.has(found.slice(start, start + length))) return true
    return false
  }
}

/**
 * A short text also counts inside another, such as an edge's label in a line. A single short word doesn't: it may be
 * coincidence.
 */
function shortMatcher(letters: string, words: string[], isSpaceless: boolean): (other: string) => boolean {
  if (isSpaceless && letters.length > 1) return (other) => lettersOf(other).includes(letters)
  if (words.length === 1 && letters.length < SLICE_MIN) return (other) => lettersOf(other) === letters
  const inside = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('[^\\p{L}\\p{N}]+')}(?![\\p{L}\\p{N}])`, 'u')
  return (other) => lettersOf(other) === letters || inside.test(other.toLowerCase())
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
