import { t } from '../text.ts'

/** Plain data without schemas, so the browser can load it. */

export const SCHEDULE_LIMITS = {
  name: 120,
  message: 20_000,
  cron: 200,
  /** Minimum between runs. */
  intervalMinutes: 5,
} as const

/** Why the server pauses a schedule, as a sentence for users. */
export const PAUSE_REASONS = {
  owner_left: t`The schedule’s owner has left the organization.`,
  key_revoked: t`The schedule’s API key was revoked.`,
  key_expired: t`The schedule’s API key has expired.`,
  project_deleted: t`Its project was deleted.`,
  access_lost: t`The schedule’s owner can no longer edit the project.`,
  agent_archived: t`Its agent is archived.`,
  block_deleted: t`Its agent block was deleted.`,
} as const

export type PauseReason = keyof typeof PAUSE_REASONS
export const PAUSE_REASON_NAMES = Object.keys(PAUSE_REASONS) as [PauseReason, ...PauseReason[]]

/** Form choices. */
export const CRON_PRESETS = [
  { label: t`Every hour`, cron: '0 * * * *' },
  { label: t`Every day at 09:00`, cron: '0 9 * * *' },
  { label: t`Every weekday at 09:00`, cron: '0 9 * * 1-5' },
  { label: t`Every Monday at 09:00`, cron: '0 9 * * 1' },
  { label: t`Monthly on the 1st at 09:00`, cron: '0 9 1 * *' },
] as const
