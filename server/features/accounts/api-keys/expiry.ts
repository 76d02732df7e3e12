import { z } from 'zod'
import {
  KEY_EXPIRED_LISTED_DAYS,
  KEY_EXPIRY_NOTICE_DAYS,
  KEY_USAGE_DAYS,
} from '../../../../contract/accounts/key-abilities.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { ENGLISH, type Words } from '../../../mail/words.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { deleteDailyCounts, type ExpiringKey, lockExpiringKey, updateLongExpired } from './queries.ts'

const DAY_MS = 86_400_000
const PATH = '/settings/api-keys'

const expiryJob = job('api-keys.expiry', z.object({}))
export const keyJobs = [onJob(expiryJob, sweep)]
export const keySchedules = [{ job: expiryJob, cron: '17 * * * *' }]

/** Notifies owners of soon-expiring keys, revokes long-expired keys, and deletes old call counts. */
async function sweep(ctx: JobContext<'mail' | 'vault'>): Promise<void> {
  const at = (days: number) => new Date(ctx.now().getTime() + days * DAY_MS)
  while (await ctx.transaction((inside) => notifyOfNext(inside, at(KEY_EXPIRY_NOTICE_DAYS))));
  await ctx.transaction(async (inside) => {
    for (const { orgId, userId, id, name } of await updateLongExpired(
      inside.sql,
      at(-KEY_EXPIRED_LISTED_DAYS),
      ctx.now(),
    )) {
      const by = { orgId, userId, via: 'system' as const }
      await recordAudit(inside, {
        action: 'api-key.revoked',
        by,
        target: id,
        details: { name, expired: 'true' },
      })
    }
  })
  await deleteDailyCounts(ctx.sql, at(1 - KEY_USAGE_DAYS))
}

/** One transaction per key: the notification exists if and only if the key is marked. False if none is left. */
async function notifyOfNext(ctx: JobContext<'mail' | 'vault'>, until: Date): Promise<boolean> {
  const key = await lockExpiringKey(ctx.sql, ctx.now(), until)
  if (!key) return false
  const { orgId, id, userId, email, isVerified } = key
  // The dashboard shows the title in any language, so its date is neutral.
  const title = titleOf(ENGLISH, key, key.expiresAt.slice(0, 10))
  await notify(
    ctx,
    orgId,
    [{ userId, email, isVerified }],
    { kind: 'key', key: `api-key-${id}-expires`, title, path: PATH },
    (words) => ({
      subject: titleOf(words, key, words.day(key.expiresAt)),
      text: textOf(words, key, ctx.mail.linkTo(PATH)),
    }),
  )
  return true
}

const titleOf = ({ textWithNames }: Words, { name }: ExpiringKey, day: string) =>
  textWithNames`The API key “${name.replace(/\s+/g, ' ')}” expires on ${day}`

const textOf = ({ t, day, time }: Words, { prefix, lastFour, expiresAt }: ExpiringKey, url: string) =>
  [
    t`Requests with the key ${`${prefix}…${lastFour}`} will be refused from ${day(expiresAt)} at ${time(expiresAt)} UTC. You can’t extend an expired key: create another one, replace it where it’s used, and revoke the old one.`,
    t`Open your API keys: ${url}`,
  ].join('\n\n')
