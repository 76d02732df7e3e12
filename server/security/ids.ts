import { randomFillSync } from 'node:crypto'

let lastMillisecond = 0
let sequence = 0
const random = new Uint8Array(8)

/**
 * A UUIDv7: sorts by time of making. The twelve bits after the time count within a millisecond, so that ids of one
 * process are strictly increasing; the rest is random.
 */
export function newId(now = Date.now()): string {
  if (now > lastMillisecond) {
    lastMillisecond = now
    sequence = randomSequenceStart()
  } else if (++sequence > 0xfff) {
    lastMillisecond++
    sequence = 0
  }
  randomFillSync(random)
  random[0] = (random[0]! & 0x3f) | 0x80
  const time = lastMillisecond.toString(16).padStart(12, '0')
  const tail = Buffer.from(random).toString('hex')
  const count = sequence.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** Leaves the upper half free to count in. */
function randomSequenceStart(): number {
  randomFillSync(random)
  return ((random[0]! << 8) | random[1]!) & 0x7ff
}
