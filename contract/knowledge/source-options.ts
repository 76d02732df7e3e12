import { t } from '../text.ts'

/** Plain data without schemas, so the browser can load it. */

export const SOURCE_LIMITS = {
  name: 120,
  /** Items per source. The rest is skipped. */
  items: 20_000,
  websitePages: 5000,
  intervalMinutesMin: 15,
  intervalMinutesMax: 43_200,
  /** Newest log entries kept per source. */
  log: 2000,
  /** Newest syncs kept per source. */
  syncs: 200,
  perProject: 50,
} as const

export const SOURCE_KINDS = {
  github: { label: t`GitHub repository`, connector: 'github' },
  website: { label: t`Website`, connector: null },
  notion: { label: t`Notion pages`, connector: 'notion' },
  google_drive: { label: t`Google Drive folder`, connector: 'google-drive' },
  dropbox: { label: t`Dropbox folder`, connector: 'dropbox' },
  confluence: { label: t`Confluence space`, connector: 'confluence' },
  sharepoint: { label: t`SharePoint folder`, connector: 'sharepoint' },
} as const satisfies Record<string, { label: string; connector: string | null }>

export type SourceKind = keyof typeof SOURCE_KINDS
export const SOURCE_KIND_NAMES = Object.keys(SOURCE_KINDS) as [SourceKind, ...SourceKind[]]

/** Why the server pauses a source, as a sentence for users. */
export const SOURCE_PAUSES = {
  owner_left: t`The source’s owner has left the organization.`,
  access_lost: t`The source’s owner can no longer edit the project.`,
  project_deleted: t`Its project was deleted.`,
  folder_gone: t`Its folder was deleted or moved to another project.`,
  connection_lost: t`Its connection was revoked, or is no longer shared with the source’s owner.`,
  connection_expired: t`The service no longer accepts its connection. It goes on when the connection’s owner has reconnected it.`,
  not_found: t`The service no longer finds what it syncs, or the account may no longer read it.`,
  quota: t`The organization’s storage or file quota is used up.`,
  failing: t`It failed ten times in a row.`,
} as const

export type SourcePause = keyof typeof SOURCE_PAUSES
export const SOURCE_PAUSE_NAMES = Object.keys(SOURCE_PAUSES) as [SourcePause, ...SourcePause[]]

export const SOURCE_STATES = ['waiting', 'syncing', 'failing', 'paused', 'off'] as const
export const SOURCE_ACTIONS = ['added', 'changed', 'moved', 'removed', 'skipped', 'kept'] as const
export type SourceAction = (typeof SOURCE_ACTIONS)[number]

/** Form choices. */
export const SOURCE_INTERVALS = [
  { label: t`Every 15 minutes`, minutes: 15 },
  { label: t`Every hour`, minutes: 60 },
  { label: t`Every 6 hours`, minutes: 360 },
  { label: t`Every day`, minutes: 1440 },
  { label: t`Every week`, minutes: 10_080 },
] as const
