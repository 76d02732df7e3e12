/**
 * A response body that PostgreSQL has serialised. For lists only: converting fifty rows to objects and back to text takes
 * Node longer than PostgreSQL takes for the whole query. The statement selects the declared fields by name; tests compare
 * the text with the output schema and fail on a field that it does not declare.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A page of a list: `items` are serialised, the other fields are not. */
export function listText(items: string, rest: Record<string, unknown>): JsonText {
  const others = Object.entries(rest).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
  return new JsonText(`{"items":[${items}]${others.join('')}}`)
}
