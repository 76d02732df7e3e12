import { backoffMs, sleep } from '../../../../client/backoff.ts'
import { ApiFailure } from '../../../../client/client.ts'
import { randomId } from '../../../state/random-id.ts'
import { createStore } from '../../../state/store.ts'
import type { Answer } from './items.ts'
import { followed } from './merge-writes.ts'
import type { Layers, Pending } from './optimistic-store.ts'
import { fitsOneCall, isEmpty, pruned, type Write } from './write.ts'

const BACKOFF = { firstMs: 1000, maxMs: 20_000 }

export type Saving = 'saved' | 'saving' | 'waiting'

interface Outbox {
  layers: Layers
  send: (write: Write, idempotencyKey: string) => Promise<Answer>
  /** Reads the canvas anew, when a refusal says that it is not as we think. */
  reload: () => Promise<void>
  onRefused: (refused: readonly Pending[], error: unknown) => void
  /** How long until the next try; a test is quicker. */
  wait?: (tries: number) => Promise<void>
}

interface Letter {
  entries: Pending[]
  write: Write
  /** The same for every try, so that a lost answer changes nothing twice. */
  key: string
}

/**
 * Sends what was written, one letter after the other, in order. While a letter is under way the next one grows. Where
 * the server cannot be reached it waits and tries again; where the server refuses, what was refused is taken back.
 */
export function createOutbox({ layers, send, reload, onRefused, wait = pause }: Outbox) {
  const saving = createStore<Saving>('saved')
  let running = false
  let hurry = () => {}

  async function run() {
    if (running) return
    running = true
    // What is written in one go travels in one letter.
    await Promise.resolve()
    for (let letter = nextLetter(); letter; letter = nextLetter()) {
      saving.set('saving')
      await deliver(letter)
    }
    running = false
    saving.set('saved')
  }

  function nextLetter(): Letter | undefined {
    const [first, ...rest] = layers.pending()
    if (!first) return undefined
    const letter: Letter = { entries: [first], write: first.write, key: randomId() }
    for (const entry of rest) {
      const both = followed(letter.write, entry.write)
      if (!both || !fitsOneCall(both)) break
      letter.write = both
      letter.entries.push(entry)
    }
    return letter
  }

  async function deliver(letter: Letter) {
    let error: unknown
    for (let tries = 0; ; tries++) {
      try {
        return layers.settle(letter.entries, await send(letter.write, letter.key))
      } catch (failure) {
        error = failure
      }
      if (!mayPass(error)) break
      saving.set('waiting')
      await Promise.race([wait(tries), new Promise<void>((resolve) => (hurry = resolve))])
    }
    const settled = isAboutTheCanvas(error) && (await sendRest(letter))
    if (settled) return
    layers.drop(letter.entries)
    onRefused(letter.entries, error)
  }

  /** Somebody removed what we were changing: what is left of it is still worth doing. */
  async function sendRest(letter: Letter): Promise<boolean> {
    try {
      await reload()
      const rest = pruned(letter.write, layers.base)
      if (isEmpty(rest)) return false
      layers.settle(letter.entries, await send(rest, randomId()))
      return true
    } catch {
      return false
    }
  }

  return {
    run: () => void run(),
    saving,
    /** The server can be reached again. */
    wake: () => hurry(),
  }
}

/** No answer, a server that failed or one that is busy: the same may work later. */
const mayPass = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status >= 500 || error.status === 429)

const isAboutTheCanvas = (error: unknown) =>
  error instanceof ApiFailure && [400, 404, 409].includes(error.status)

const pause = (tries: number) => sleep(backoffMs(tries, BACKOFF))
