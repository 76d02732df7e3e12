import { bodyHash } from './etag.ts'

/**
 * A response body that PostgreSQL has serialized. For lists only: converting fifty rows to objects and back to text takes
 * Node longer than PostgreSQL takes for the whole query. The statement selects the declared fields by name; tests compare
 * the text with the output schema and fail on a field that it does not declare.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * A response body that was serialized for an earlier call. It is sent as it is: parsing and serializing half a megabyte
 * takes milliseconds of the event loop for each caller.
 */
export class JsonBytes {
  readonly bytes: Buffer
  readonly hash: string

  constructor(value: unknown) {
    this.bytes = Buffer.from(JSON.stringify(value))
    this.hash = bodyHash(this.bytes)
  }
}

/** Parts have about this many characters: fewer bytes than a socket and its reader buffer. */
const PART_CHARACTERS = 262_144

/**
 * A long response body in parts, so that no turn of the event loop handles all of it: 30 MB take half a second to
 * concatenate, encode and send in one turn.
 */
export class JsonParts {
  readonly parts: string[] = ['']

  add(text: string): void {
    const last = this.parts.at(-1)!
    if (last.length < PART_CHARACTERS) this.parts[this.parts.length - 1] = last + text
    else this.parts.push(text)
  }
}

/** A page of a list: `items` are serialized, the other fields are not. */
export function listText(items: string, fields: Record<string, unknown>): JsonText {
  const fieldTexts = Object.entries(fields).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
  return new JsonText(`{"items":[${items}]${fieldTexts.join('')}}`)
}
