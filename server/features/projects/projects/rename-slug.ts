import type { Context } from '../../../context.ts'
import { UNTITLED } from './create.ts'
import { claimSlug } from './queries.ts'
import type { ProjectRow } from './records.ts'
import { nextSlug, preferredSlug, slugOf } from './slug.ts'

/**
 * A project that was created without a name has a placeholder as its slug: it gets the slug of its first name. Every
 * other slug stays, since links contain it. Links of the dashboard to a project without a name contain its id.
 */
export async function replacePlaceholderSlug(
  ctx: Context,
  before: ProjectRow,
  after: ProjectRow,
): Promise<ProjectRow> {
  const hasPlaceholder = before.name === UNTITLED && before.slug.startsWith(slugOf(UNTITLED))
  if (!hasPlaceholder || after.name === UNTITLED) return after
  const { orgId } = ctx.caller
  const preferred = preferredSlug(after)
  let slug = preferred
  while (!(await claimSlug(ctx.sql, orgId, after.id, slug))) slug = await nextSlug(ctx.sql, orgId, preferred)
  return { ...after, slug }
}
