import { randomFillSync } from 'node:crypto'

let lastMillisecond = 0
let sequence = 0
/** Eight bytes at a time would cost more than the rest of an id. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** UUIDv7. The twelve bits after the timestamp count within a millisecond, so one process's ids strictly increase. */
export function newId(now = Date.now()): string {
  if (now > lastMillisecond) {
    lastMillisecond = now
    sequence = randomSequenceStart()
  } else if (++sequence > 0xfff) {
    lastMillisecond++
    sequence = 0
  }
  const random = takeRandom()
  random[0] = (random[0]! & 0x3f) | 0x80
  const time = lastMillisecond.toString(16).padStart(12, '0')
  const tail = random.toString('hex')
  const count = sequence.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** Leaves the upper half for counting. */
const randomSequenceStart = () => takeRandom().readUInt16BE() & 0x7ff

function takeRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 8
  return pool.subarray(used - 8, used)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)
