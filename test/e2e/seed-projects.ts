import type { Person } from '../../server/testing/factories/factories.ts'
import type { TestApp } from '../../server/testing/test-app.ts'

const LONG = 'A project with a name that is much too long for every narrow screen it will be shown on'

interface ProjectSeed {
  name: string
  emoji?: string
  description?: string
  tags?: string[]
  status?: 'archived' | 'completed'
  visibility?: 'private'
  spend?: string
  /** Since the last activity. */
  hours: number
}

const PROJECTS: ProjectSeed[] = [
  {
    name: 'Launch plan',
    emoji: '🚀',
    description: 'Everything for the launch in October: the story, the site, the people who write about it.',
    tags: ['marketing', 'q4'],
    spend: '12.408100',
    hours: 0.1,
  },
  {
    name: 'Support inbox',
    emoji: '🤖',
    description: 'Agents draft the answers, people send them.',
    tags: ['support'],
    spend: '184.020000',
    hours: 1,
  },
  { name: 'Pricing study', emoji: '📈', tags: ['research', 'pricing', 'q4'], spend: '3.200000', hours: 26 },
  { name: 'My notebook', emoji: '🧭', description: 'Half-baked.', visibility: 'private', hours: 3 },
  { name: LONG, tags: ['a-tag-that-is-rather-long-for-a-tag', 'second'], spend: '0.004000', hours: 50 },
  { name: 'Onboarding of new engineers', emoji: '🌱', description: 'The first two weeks.', hours: 200 },
  { name: 'Offsite', emoji: '🏗️', status: 'completed', hours: 900, spend: '41.000000' },
  { name: 'Old website', status: 'archived', hours: 2000 },
]

/** Creates projects of every status and visibility, one deleted and one shared with a second workspace. */
export async function seedProjects(app: TestApp, ada: Person) {
  const client = await app.inBrowser(ada)
  const { id: research } = await client.workspaces.create({ name: 'Research' })
  const ids = new Map<string, string>()
  for (const seed of PROJECTS.toReversed()) {
    const { name, emoji, description, visibility, status, tags, spend = '0', hours } = seed
    const { id } = await client.projects.create({
      name,
      emoji,
      description,
      visibility: visibility ?? 'team',
    })
    ids.set(name, id)
    if (status || tags) await client.projects.update({ id, ...(status && { status }), ...(tags && { tags }) })
    const at = new Date(app.clock.now().getTime() - hours * 3_600_000)
    await app.sql`update projects set changed_at = ${at}, spend = ${spend} where id = ${id}`
  }
  const deleted = await client.projects.create({
    name: 'Abandoned idea',
    emoji: '💡',
    description: 'Too early.',
  })
  await client.projects.remove({ id: deleted.id })
  const launch = ids.get('Launch plan')!
  await client.projects.update({
    id: launch,
    prompt: 'You help a small team to launch a product. Be brief. Ask before you publish anything.',
    metadata: { budget: { currency: 'EUR', amount: 12_000 }, channels: ['mail', 'press'] },
  })
  await client.projects.shareWithWorkspace({ id: launch, workspaceId: research })
  return { launch, research, ids }
}
