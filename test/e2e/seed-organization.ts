import type { Scope } from '../../contract/accounts/scopes.ts'
import type { FeedbackStatus } from '../../contract/feedback.ts'
import type { TestApp } from '../../server/testing/test-app.ts'

const KEYS: [name: string, scopes: Scope[], usedHoursAgo: number | null][] = [
  [
    'Nightly import from the warehouse',
    ['models:read', 'files:write', 'connections:read', 'api-keys:read'],
    3,
  ],
  ['Laptop', ['terminal'], 0.2],
  ['A key with a name that is much too long for the width of a narrow screen', ['files:read'], null],
]

const SUBMISSIONS: [message: string, status: FeedbackStatus, hoursAgo: number][] = [
  ['The import stops without a word when a row has no date.', 'open', 0.05],
  [
    'Please let me sort projects by last run, and remember it.\n\nToday I sort again on every visit.',
    'open',
    5,
  ],
  ['Dark mode is lovely. The hairlines are a little faint on my old screen.', 'triaged', 26],
  ['Could agents be paused for the weekend?', 'linked', 75],
  [
    'A very long word: Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    'handed_off',
    190,
  ],
  ['The download button did nothing in Safari.', 'resolved', 800],
  ['Add a plugin for my coffee machine ☕', 'declined', 2000],
]

/** An organization with used API keys, feedback of every status, comments, status changes and two failed jobs. */
export async function seedOrganization(app: TestApp) {
  const { sql, clock } = app
  const ago = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000)
  const org = await app.organization('Analytical Engines')
  const ada = await app.person(org, { name: 'Ada Lovelace', role: 'owner', operator: true })
  const adaClient = await app.withSession(ada)
  const grace = await app.operator({ name: 'Grace Hopper' })

  for (const [name, scopes, used] of KEYS) {
    const { id } = await app.key(ada, scopes)
    const usedAt = used === null ? null : ago(used)
    await sql`update api_keys set name = ${name}, last_used_at = ${usedAt} where id = ${id}`
  }
  const ids: string[] = []
  for (const [message, status, hours] of SUBMISSIONS.toReversed()) {
    const metadata = { route: '/feedback?status=open', viewport: { width: 1440, height: 900 } }
    const { id } = await adaClient.feedback.submit({ message, metadata })
    if (status !== 'open') {
      await grace.client.feedback.handle({ id, status, taskId: 'ENG-1042', note: 'Seen by three people' })
    }
    await sql`update feedback set created_at = ${ago(hours)} where id = ${id}`
    ids.unshift(id)
  }
  const [received, , reviewed] = ids as [string, string, string]
  await adaClient.feedback.comment({ id: reviewed, body: 'It is a ThinkPad of 2014.' })
  await grace.client.feedback.comment({ id: reviewed, body: 'Thank you. We look at the contrast of both.' })

  for (const task of ['mail.send', 'feedback.notify']) {
    await sql`select from graphile_worker.add_job(${task}, '{}'::json, max_attempts => 3)`
  }
  await sql`
    update graphile_worker._private_jobs set attempts = max_attempts,
      last_error = 'Error: connect ECONNREFUSED 127.0.0.1:25' || chr(10) || '    at afterConnect (node:net:1637:16)'
    where max_attempts = 3`
  return { ada, received, reviewed }
}
