import type { ConnectorDefinition } from '../definition/definition.ts'

/** A definition with everything that a request of one connection needs. */
export interface ConnectionTarget {
  definition: ConnectorDefinition
  config: Readonly<Record<string, string>>
  kept: Readonly<Record<string, string>>
  /** The entered credentials, or `accessToken`. */
  credentials: Readonly<Record<string, string>>
  account: { id: string | null }
  /** An operator's replacement for scheme, host and port of every URL of the definition. */
  override: string | null
}

export interface BuiltRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Replaces scheme, host and port of a URL by those that an operator set. */
export function replaceOrigin(url: string, override: string | null): string {
  if (override === null) return url
  const [original, replacement] = [new URL(url), new URL(override)]
  return `${replacement.origin}${original.pathname}${original.search}`
}
