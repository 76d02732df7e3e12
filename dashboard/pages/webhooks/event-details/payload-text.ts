import type { EventWithDeliveries } from '../webhooks-queries.ts'

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => object }

/**
 * The payload as indented text. For a received event, formats the received text, since the parsed payload loses digits
 * of large numbers. A browser without `JSON.rawJSON` shows the text unchanged.
 */
export function payloadText({ payload, body }: Pick<EventWithDeliveries, 'payload' | 'body'>): string {
  if (!body) return typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2)
  if (body.encoding === 'base64' || !rawJSON) return body.content
  const keepNumber: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value
  try {
    return JSON.stringify(JSON.parse(body.content, keepNumber), null, 2)
  } catch {
    return body.content
  }
}
