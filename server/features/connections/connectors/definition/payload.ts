import type { AddressRequest, EventImage, NormalizedEvent } from './receiver.ts'
import { valueAt } from './template.ts'

/** Returns null for anything but text and numbers. */
export function textAt(body: unknown, path: string): string | null {
  const value = valueAt(body, path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** An empty path means the body. */
export function itemsAt(body: unknown, path: string): readonly unknown[] {
  const value = path === '' ? body : valueAt(body, path)
  return Array.isArray(value) ? value : []
}

export const normalizedEvent = (
  event: Partial<NormalizedEvent> & Pick<NormalizedEvent, 'eventKey' | 'externalId' | 'thread'>,
): NormalizedEvent => ({
  change: 'created',
  targetId: null,
  actor: { id: null, name: null, isBot: false },
  text: null,
  resource: null,
  replyTo: {},
  ...event,
})

/** Per message. */
const IMAGES_MAX = 10

/** Nothing without an image. */
export function imagesOf(
  images: readonly { ref: string | null; mimeType: string | null }[],
): Pick<NormalizedEvent, 'images'> {
  const found = images.flatMap(({ ref, mimeType }): EventImage[] =>
    ref !== null && mimeType?.startsWith('image/') ? [{ ref, mimeType }] : [],
  )
  return found.length > 0 ? { images: found.slice(0, IMAGES_MAX) } : {}
}

/** A provider's URL can't name stored values: each of its parts is an input. */
export function requestForUrl(text: string): AddressRequest | null {
  if (!URL.canParse(text)) return null
  const { origin, pathname, searchParams } = new URL(text)
  if (!/^https:\/\/[a-z0-9.-]+$/.test(origin)) return null
  const { path, input } = pathOf(pathname)
  return { request: { method: 'GET', path: origin + path, query: Object.fromEntries(searchParams) }, input }
}

/** For signed URLs, without the connection's credentials. */
export function publicRequestForUrl(text: string): AddressRequest | null {
  const request = requestForUrl(text)
  return request && { ...request, isPublic: true }
}

/** Such as `photos/file 1.jpg`. */
export function pathOf(path: string): { path: string; input: { parts: string[] } } {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
  const end = path.endsWith('/') ? '/' : ''
  return { path: parts.map((_, index) => `/{parts.${index}}`).join('') + end, input: { parts } }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Ignores inherited names such as `constructor` and `__proto__`. */
export const lookup = <T>(
  table: Readonly<Record<string, T>>,
  name: string | null | undefined,
): T | undefined => (typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined)

/** Returns null if absent or empty. */
export function displayTextAt(payload: unknown, path: string): string | null {
  const value = valueAt(payload, path)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Skips absent values. */
export const summary = (title: string, lines: Readonly<Record<string, string | null>>): string =>
  [
    title,
    ...Object.entries(lines).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])),
  ].join('\n')

const FILE_TEXT_MAX = 200_000

export function fileText(answer: unknown): { text: string; truncated: boolean } {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return { text: text.slice(0, FILE_TEXT_MAX), truncated: text.length > FILE_TEXT_MAX }
}

/** All if none is chosen. */
export const eventTypes = (
  slug: string,
  chosen: readonly string[],
  events: Readonly<Record<string, string>>,
): string[] =>
  (chosen.length > 0 ? chosen : Object.keys(events)).map((eventKey) => eventKey.slice(slug.length + 1))
