import {
  SOURCE_INTERVALS,
  SOURCE_PAUSES,
  type SourceAction,
} from '../../../../contract/knowledge/source-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { isBusy, type Reader, type Source } from '../../../api/sources.ts'
import { Status } from '../../../components/status.tsx'
import { sourceSentence } from './source-sentences.ts'

export function SourceStatus({ source }: { source: Source }) {
  const { state, paused } = source
  if (paused) return <Status meaning="bad">{t`Paused`}</Status>
  if (state === 'off') return <Status meaning="neutral">{t`Off`}</Status>
  if (state === 'failing') return <Status meaning="warning">{t`Failing`}</Status>
  if (isBusy(source)) return <Status meaning="accent">{t`Syncing`}</Status>
  return <Status meaning="good">{t`Up to date`}</Status>
}

/** What is wrong, as a sentence. Null if nothing is. */
export const problemOf = ({ paused, state, lastError }: Source): string | null => {
  if (paused) return SOURCE_PAUSES[paused.reason]
  return state === 'failing' && lastError !== null ? sourceSentence(lastError) : null
}

/** What the source syncs, in the words of its service. */
export function targetOf({ kind, settings }: Source): string {
  const { repository, path, url, spaceKey, folderId, pageId } = settings as Record<string, string | undefined>
  if (kind === 'github') return [repository, path].filter(Boolean).join('/')
  if (kind === 'dropbox') return path || '/'
  return url ?? spaceKey ?? folderId ?? pageId ?? t`All pages`
}

export function intervalLabel(minutes: number): string {
  const known = SOURCE_INTERVALS.find((each) => each.minutes === minutes)
  return known?.label ?? t`Every ${minutes.toLocaleString(LOCALE)} minutes`
}

const count = (value: number) => value.toLocaleString(LOCALE)

/** Such as "3 added, 1 removed". */
export function countsOf({ added, changed, removed, skipped }: NonNullable<Source['sync']>): string {
  const parts = [
    added > 0 && t`${count(added)} added`,
    changed > 0 && t`${count(changed)} changed`,
    removed > 0 && t`${count(removed)} removed`,
    skipped > 0 && t`${count(skipped)} skipped`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? t`No changes` : parts.join(', ')
}

export function readerLabel({ kind, name, count: members }: Reader): string {
  if (kind === 'creator') return name
  if (kind === 'admins') return t`Owners and admins (${count(members ?? 0)})`
  if (kind === 'guests') return t`Guests with the share link`
  return t`${name} (${count(members ?? 0)})`
}

export const ACTION_LABELS: Record<SourceAction, string> = {
  added: t`Added`,
  changed: t`Changed`,
  moved: t`Moved`,
  removed: t`Moved to the trash`,
  skipped: t`Skipped`,
  kept: t`Left alone`,
}
