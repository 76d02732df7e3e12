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
  const client = await app.withSession(ada)
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
    if (emoji) await seedCanvas(client, id)
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
  for (const name of ['Launch plan', 'Pricing study']) await client.favourites.add({ id: ids.get(name)! })
  return { launch, research, ids }
}

const TYPES = ['note', 'agent', 'text', 'image', 'task', 'shape'] as const
const COLORS = [null, 'teal', 'amber', null, 'blue', 'green'] as const

/** A canvas that differs for each project. */
async function seedCanvas(client: Awaited<ReturnType<TestApp['withSession']>>, projectId: string) {
  const kind = Number.parseInt(projectId.slice(-4), 16)
  const blocks = Array.from({ length: 5 + (kind % 5) }, (_, n) => ({
    type: TYPES[(n + kind) % TYPES.length]!,
    color: COLORS[(n * 2 + kind) % COLORS.length]!,
    x: (n % 3) * 340,
    y: Math.floor(n / 3) * 260 + ((n + kind) % 2) * 40,
    width: 260 + ((kind >> n) % 2) * 60,
    height: 140 + ((kind >> (n + 1)) % 2) * 80,
    ...(TYPES[(n + kind) % TYPES.length] === 'shape' && { metadata: { shape: 'rectangle' } }),
  }))
  const group = { type: 'group' as const, x: -30, y: -50, width: 700, height: 560, color: null }
  await client.canvas.change({ projectId, create: { blocks: kind % 2 ? [group, ...blocks] : blocks } })
}
