import type { z } from 'zod'
import type { SourceKind } from '../../../../../contract/knowledge/source-options.ts'
import type { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import type { Remote } from './remote.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export interface RemoteItem {
  /** Stays if the item is renamed or moved, where the provider has such an id. */
  id: string
  folders: readonly string[]
  name: string
  /** Null if the listing doesn't tell: the download then asks for changes. */
  version: string | null
  /** Why it can't be stored, known from the listing. */
  skip?: string
  /** For `download`. */
  handle?: string
}

export interface Known {
  version: string | null
  etag: string | null
}

export interface Content {
  name?: string
  mimeType: string
  content: AsyncIterable<Uint8Array>
}

/** Streams into the object store. */
export type Store<T> = (content: Content) => Promise<T>

export type Downloaded<T> =
  | { kind: 'stored'; stored: T; version: string | null; etag?: string | null; name?: string }
  | { kind: 'unchanged'; version: string | null }
  | { kind: 'skipped'; reason: string }
  | { kind: 'gone' }

/**
 * A sync lists everything and compares versions, so that moves, renames and removals are found in the same way
 * everywhere. The provider's change cursor decides whether there is anything to list. It's taken before the listing, so
 * a change during the listing is found by the next sync.
 */
export interface Provider<K extends SourceKind = SourceKind> {
  settings: (typeof SOURCE_SETTINGS)[K]
  /** Default name. */
  nameOf: (settings: SettingsOf<K>) => string
  /** Null: nothing changed since the cursor. */
  begin: (
    remote: Remote,
    settings: SettingsOf<K>,
    cursor: Json,
  ) => Promise<{ listing: Json; cursor: Json } | null>
  list: (
    remote: Remote,
    settings: SettingsOf<K>,
    listing: Json,
  ) => Promise<{ items: RemoteItem[]; next: Json }>
  download: <T>(
    remote: Remote,
    settings: SettingsOf<K>,
    item: RemoteItem,
    known: Known | null,
    store: Store<T>,
  ) => Promise<Downloaded<T>>
  /** Where a listing may miss items that exist. */
  isGone?: (remote: Remote, settings: SettingsOf<K>, id: string) => Promise<boolean>
}

export type SettingsOf<K extends SourceKind> = z.output<(typeof SOURCE_SETTINGS)[K]>

/** Types each provider's settings. All are called with their own kind's. */
export const provider = <K extends SourceKind>(definition: Provider<K>): Provider =>
  definition as unknown as Provider
