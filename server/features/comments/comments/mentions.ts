import { COMMENT_LIMITS, mentionsIn } from '../../../../contract/comments/comment-options.ts'
import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import type { Target } from './records.ts'
import { listReaders, type Reader } from './target-queries.ts'

/** The members that a body mentions. Refuses guests who mention, and people who cannot see the target. */
export async function readMentions(
  { sql, caller }: Context,
  target: Target,
  body: string,
): Promise<Reader[]> {
  const ids = mentionsIn(body)
  if (ids.length === 0) return []
  if (caller.share) throw badField('body.body', 'must not mention members: guests cannot mention')
  if (ids.length > COMMENT_LIMITS.mentions)
    throw badField('body.body', `must mention at most ${COMMENT_LIMITS.mentions} members`)
  const readers = await listReaders(sql, caller.orgId, target, ids)
  const missing = ids.filter((id) => !readers.some((reader) => reader.id === id))
  if (missing.length > 0)
    throw badField(
      'body.body',
      `must mention only members who can see the ${target.type}: not ${missing.join(', ')}`,
    )
  return [...readers]
}
